//! Scripts that make a lemma of a form: what becomes of its ends, and of the case of its letters (compare
//! Straka and Straková 2017).

/// What a script does to the case of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterCase {
    /// All letters are lower case.
    Lower,
    /// Letters of the form stay as they are.
    Kept,
    /// The first letter is upper case, all others are lower case.
    Title,
}

impl LetterCase {
    pub const ALL: [LetterCase; 3] = [LetterCase::Lower, LetterCase::Kept, LetterCase::Title];

    fn sign(self) -> char {
        match self {
            LetterCase::Lower => 'l',
            LetterCase::Kept => 'k',
            LetterCase::Title => 't',
        }
    }
}

/// A letter in lower case, if that is a single character.
pub(super) fn lower(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => letter,
    }
}

/// A letter in upper case, if that is a single character.
pub(super) fn upper(letter: char) -> char {
    let mut upper = letter.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(single), None) => single,
        _ => letter,
    }
}

/// The script that makes this lemma of this form, with the first letter case that does.
///
/// It is written as a sign for the case, then how many characters are cut off at the front and what takes
/// their place, then the same for the end: `l0||3|y` makes `fly` of `Flies`. Where form and lemma have
/// nothing in common it is `=` and the lemma.
pub(super) fn script_by(form: &str, lemma: &str, cases: [LetterCase; 3]) -> String {
    let whole = || format!("={lemma}");
    let letters: Vec<char> = form.chars().collect();
    let from: Vec<char> = letters.iter().copied().map(lower).collect();
    let to: Vec<char> = lemma.chars().map(lower).collect();
    let (start, place, length) = longest_common(&from, &to);
    if length == 0 || lemma.contains('|') {
        return whole();
    }
    let exact: Vec<char> = lemma.chars().collect();
    for case in cases {
        // Letters that are added are written as they are, where others are, too.
        let added = if case == LetterCase::Kept { &exact } else { &to };
        let text = |part: &[char]| part.iter().collect::<String>();
        let script = format!(
            "{}{}|{}|{}|{}",
            case.sign(),
            start,
            text(&added[..place]),
            letters.len() - start - length,
            text(&added[place + length..]),
        );
        if apply(&script, form).as_deref() == Some(lemma) {
            return script;
        }
    }
    whole()
}

/// What a script makes of a form; nothing if more would be cut off than there is.
pub fn apply(script: &str, form: &str) -> Option<String> {
    if let Some(lemma) = script.strip_prefix('=') {
        return Some(lemma.to_owned());
    }
    let case = LetterCase::ALL.into_iter().find(|case| script.starts_with(case.sign()))?;
    let mut parts = script[1..].split('|');
    let (cut_front, front) = (parts.next()?.parse::<usize>().ok()?, parts.next()?);
    let (cut_end, end) = (parts.next()?.parse::<usize>().ok()?, parts.next()?);
    let letters: Vec<char> = form.chars().collect();
    let kept = letters.get(cut_front..letters.len().checked_sub(cut_end)?)?;
    let kept = kept.iter().map(|&letter| if case == LetterCase::Kept { letter } else { lower(letter) });
    let mut lemma: String = front.chars().chain(kept).chain(end.chars()).collect();
    if case == LetterCase::Title {
        let mut letters = lemma.chars();
        let first = letters.next()?;
        lemma = std::iter::once(upper(first)).chain(letters).collect();
    }
    (!lemma.is_empty()).then_some(lemma)
}

/// Where the longest common part begins in either, and how long it is; the first of several.
fn longest_common(left: &[char], right: &[char]) -> (usize, usize, usize) {
    let mut best = (0, 0, 0);
    // Lengths of common parts that end before each place of `right`, for one place of `left` after another.
    let mut lengths = vec![0; right.len() + 1];
    for (at, letter) in left.iter().enumerate() {
        for place in (0..right.len()).rev() {
            lengths[place + 1] = if *letter == right[place] { lengths[place] + 1 } else { 0 };
            let length = lengths[place + 1];
            if length > best.2 {
                best = (at + 1 - length, place + 1 - length, length);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(form: &str, lemma: &str) -> String {
        script_by(form, lemma, LetterCase::ALL)
    }

    #[test]
    fn scripts_make_the_lemma_they_were_made_for() {
        let pairs = [
            ("dogs", "dog"),
            ("Flies", "fly"),
            ("went", "go"),
            ("was", "be"),
            ("London", "London"),
            ("BUSH", "Bush"),
            ("iPhones", "iPhone"),
            ("gegangen", "gehen"),
            ("İstanbul'da", "İstanbul"),
            ("x", "a|b"),
            ("|", "|"),
            ("ﬁ", "fi"),
            ("看", "看"),
            ("ΟΔΟΣ", "οδός"),
            ("", "a"),
            ("a", ""),
        ];
        for (form, lemma) in pairs {
            let made = apply(&script(form, lemma), form);
            assert_eq!(made.as_deref(), Some(lemma), "{form} {}", script(form, lemma));
        }
        assert_eq!(script("Flies", "fly"), "l0||3|y");
        assert_eq!(apply(&script("Flies", "fly"), "Tries").as_deref(), Some("try"));
        assert_eq!(apply("l0||3|y", "es"), None);
    }

    #[test]
    fn what_is_not_a_script_makes_nothing() {
        for wrong in ["", "z", "l", "l1", "l1|", "l9||0|", "lx||0|", "k0||0", "lé||0|"] {
            assert_eq!(apply(wrong, "form"), None, "{wrong}");
        }
    }
}
