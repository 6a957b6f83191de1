//! Finding the columns of a line.

/// Where a line ends and where its tabs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// Offset of the newline, or of the end of the text.
    pub end: usize,
    /// Offsets of the first nine tabs.
    pub tabs: [u32; 9],
    /// How many tabs there are.
    pub tab_count: usize,
    /// Whether any byte is a space.
    pub has_space: bool,
}

const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;

/// The high bit of each byte of `word` that equals `byte`, exactly.
#[inline]
fn matches(word: u64, byte: u8) -> u64 {
    let difference = word ^ (u64::from(byte) * 0x0101_0101_0101_0101);
    !(((difference & LOW_BITS) + LOW_BITS) | difference | LOW_BITS)
}

/// Splits the line at the start of `text`.
///
/// Eight bytes at a time, in ordinary registers: token lines are short and full of tabs, so that wider
/// vectors, or a search per tab, spend more on starting than on searching.
#[inline]
pub(super) fn split_line(text: &[u8]) -> Split {
    let mut split = Split { end: text.len(), tabs: [0; 9], tab_count: 0, has_space: false };
    let mut at = 0;
    let mut spaces = 0;
    while at < text.len() {
        let word = match text.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()) {
            Some(bytes) => u64::from_le_bytes(bytes),
            None => {
                let mut padded = [0; 8];
                padded[..text.len() - at].copy_from_slice(&text[at..]);
                u64::from_le_bytes(padded)
            }
        };
        let newline = matches(word, b'\n');
        let before_newline = newline.wrapping_sub(1) & !newline;
        let in_line = if newline == 0 { u64::MAX } else { before_newline };
        spaces |= matches(word, b' ') & in_line;
        let mut tabs = matches(word, b'\t') & in_line;
        while tabs != 0 {
            if let Some(tab) = split.tabs.get_mut(split.tab_count) {
                *tab = (at + tabs.trailing_zeros() as usize / 8) as u32;
            }
            split.tab_count += 1;
            tabs &= tabs - 1;
        }
        if newline != 0 {
            split.end = at + newline.trailing_zeros() as usize / 8;
            break;
        }
        at += 8;
    }
    split.has_space = spaces != 0;
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The obvious way.
    fn twin(text: &[u8]) -> Split {
        let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
        let places: Vec<u32> = (0..end as u32).filter(|&at| text[at as usize] == b'\t').collect();
        let mut tabs = [0; 9];
        for (tab, &place) in tabs.iter_mut().zip(&places) {
            *tab = place;
        }
        let has = |byte: u8| text[..end].contains(&byte);
        Split { end, tabs, tab_count: places.len(), has_space: has(b' ') }
    }

    proptest::proptest! {
        #[test]
        fn split_finds_what_a_plain_scan_finds(
            text in proptest::collection::vec(
                proptest::prop_oneof![
                    4 => proptest::prelude::any::<u8>(),
                    3 => proptest::strategy::Just(b'\t'),
                    1 => proptest::sample::select(vec![b'\n', b' ', b'\r', 0x89, 0x8A, 0x0B, 0x08, 0x00, 0xFF, 0x80]),
                ],
                0..80,
            )
        ) {
            assert_eq!(split_line(&text), twin(&text));
        }
    }
}
