//! Names and their numbers, quickly read from a file and quickly found.

use serde::{Deserialize, Serialize};

/// Names and their numbers. In a file, just the names in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct Names {
    names: Vec<String>,
    /// Numbers at places that the hashes of their names say, or the next ones that are free. Not more than half of
    /// the places are taken, and their number is a power of two; none if there are no names.
    places: Vec<Option<u32>>,
}

impl From<Vec<String>> for Names {
    fn from(names: Vec<String>) -> Names {
        let count = if names.is_empty() { 0 } else { (2 * names.len()).next_power_of_two() };
        let mut found = Names { names, places: vec![None; count] };
        for number in 0..found.names.len() {
            // Of names that come twice, the last one counts.
            if let Some(place) = found.place(&found.names[number]) {
                found.places[place] = Some(number as u32);
            }
        }
        found
    }
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Vec<String> {
        names.names
    }
}

impl Names {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.places[self.place(name)?]
    }

    /// The name of a number.
    pub fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Where a name is, or would be; nothing if there are no places.
    fn place(&self, name: &str) -> Option<usize> {
        let last = self.places.len().checked_sub(1)?;
        let mut place = hash(name) as usize & last;
        while let Some(number) = self.places[place]
            && self.names[number as usize] != name
        {
            place = (place + 1) & last;
        }
        Some(place)
    }
}

/// Eight bytes at a time, then those that are left. Names are put in once, by us: no others can crowd them.
fn hash(name: &str) -> u64 {
    let mix = |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = words.iter().fold(name.len() as u64, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let hash = mix(hash, u64::from_le_bytes(last));
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_its_number_and_others_have_none() {
        for count in [0, 1, 2, 3, 64, 1000] {
            let list: Vec<String> = (0..count).map(|at| format!("{}{at}", "né".repeat(at % 7))).collect();
            let names = Names::from(list.clone());
            for (at, name) in list.iter().enumerate() {
                assert_eq!((names.number(name), names.name(at as u32)), (Some(at as u32), &name[..]));
            }
            for other in ["", "x", "né", "0 ", "\u{0}"] {
                assert_eq!(names.number(other).is_some(), list.iter().any(|name| name == other));
            }
            assert_eq!(Vec::from(names), list);
        }
        let twice = Names::from(["a", "b", "a"].map(str::to_owned).to_vec());
        assert_eq!((twice.number("a"), twice.number("b"), twice.len()), (Some(2), Some(1), 3));
    }
}
