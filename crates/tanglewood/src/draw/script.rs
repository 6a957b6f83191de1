//! Which way a script runs.

/// True if and only if most of the letters belong to scripts that run from right to left. Such a sentence is laid out from right to left
/// as a whole.
pub fn runs_from_right<'a>(forms: impl Iterator<Item = &'a str>) -> bool {
    let mut balance = 0i64;
    for character in forms.flat_map(str::chars).filter(|character| character.is_alphabetic()) {
        balance += if is_right_to_left(character) { 1 } else { -1 };
    }
    balance > 0
}

/// The blocks that Unicode sets aside for scripts that run from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and others.
fn is_right_to_left(character: char) -> bool {
    matches!(character,
        '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}
