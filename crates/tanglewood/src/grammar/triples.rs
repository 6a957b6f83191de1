//! Numbers for s0, s1 and the front of the buffer.

/// All triples s1 < s0 < front of a sentence, numbered without gaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triples {
    words: usize,
}

impl Triples {
    pub fn new(words: usize) -> Triples {
        Triples { words }
    }

    pub fn words(self) -> usize {
        self.words
    }

    /// Number of triples.
    pub fn len(self) -> usize {
        before_front(self.words + 2)
    }

    /// The number of a triple.
    #[inline]
    pub fn number(self, s0: usize, s1: usize, front: usize) -> usize {
        before_front(front) + s0 * (s0 - 1) / 2 + s1
    }

    /// All triples [s0, s1, front] in the order of their numbers.
    pub fn all(self) -> impl Iterator<Item = [usize; 3]> {
        (2..=self.words + 1)
            .flat_map(|front| (1..front).flat_map(move |s0| (0..s0).map(move |s1| [s0, s1, front])))
    }
}

/// Number of triples with a smaller front.
#[inline]
fn before_front(front: usize) -> usize {
    front * (front - 1) * (front.max(2) - 2) / 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triples_are_numbered_without_gaps() {
        for words in 0..9 {
            let triples = Triples::new(words);
            let numbers = triples.all().map(|[s0, s1, front]| triples.number(s0, s1, front));
            assert_eq!(numbers.collect::<Vec<_>>(), (0..triples.len()).collect::<Vec<_>>());
        }
    }
}
