//! Names and their numbers, quickly read from a file and quickly found.

use std::fmt;

use serde::de::{DeserializeSeed, Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names and their numbers. In a file, one text with `\u{7f}` behind each name, which is read sooner than
/// a list of texts; a list if a name has that character in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    list: NameList,
    /// Numbers at places that the hashes of their names say, or the next ones that are free. Not more than
    /// half of the places are taken, and their number is a power of two; none if there are no names.
    places: Vec<u32>,
}

/// Marks an empty place of the hash table.
const FREE: u32 = u32::MAX;

/// What stands behind each name of a text: delete, a character that JSON does not escape and words hardly have.
const END: char = '\u{7f}';

/// Names one after the other in one text, so that reading them allocates nothing for each.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NameList {
    /// [`END`] is behind each name.
    text: String,
    /// End of each name within the text, where its [`END`] is.
    ends: Vec<usize>,
}

impl NameList {
    /// Adds a name that is given in parts.
    pub fn push(&mut self, parts: &[&str]) {
        self.text.extend(parts.iter().copied());
        self.ends.push(self.text.len());
        self.text.push(END);
    }

    fn get(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] + END.len_utf8());
        &self.text[start..self.ends[number]]
    }

    /// The names of a text with [`END`] behind each; nothing if there is none behind the last.
    fn of_text(text: &str) -> Option<NameList> {
        let ends: Vec<usize> = memchr::memchr_iter(END as u8, text.as_bytes()).collect();
        let whole = ends.last().map_or(0, |last| last + END.len_utf8()) == text.len();
        whole.then(|| NameList { text: text.to_owned(), ends })
    }
}

impl From<NameList> for Names {
    fn from(list: NameList) -> Names {
        let count = if list.ends.is_empty() { 0 } else { (2 * list.ends.len()).next_power_of_two() };
        let mut names = Names { list, places: vec![FREE; count] };
        for number in 0..names.len() {
            // Of names that come twice, the last one counts.
            if let Some(place) = names.place(names.list.get(number)) {
                names.places[place] = number as u32;
            }
        }
        names
    }
}

impl<S: AsRef<str>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Names {
        let mut list = NameList::default();
        names.into_iter().for_each(|name| list.push(&[name.as_ref()]));
        list.into()
    }
}

impl Names {
    /// Number of names.
    pub fn len(&self) -> usize {
        self.list.ends.len()
    }

    /// True if and only if there are none.
    pub fn is_empty(&self) -> bool {
        self.list.ends.is_empty()
    }

    /// The number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        Some(self.places[self.place(name)?]).filter(|&number| number != FREE)
    }

    /// The name of a number.
    pub fn name(&self, number: u32) -> &str {
        self.list.get(number as usize)
    }

    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.list.get(number))
    }

    /// Where a name is, or would be; nothing if there are no places.
    fn place(&self, name: &str) -> Option<usize> {
        let last = self.places.len().checked_sub(1)?;
        let mut place = hash(name) as usize & last;
        while self.places[place] != FREE && self.name(self.places[place]) != name {
            place = (place + 1) & last;
        }
        Some(place)
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.iter().any(|name| name.contains(END)) {
            true => serializer.collect_seq(self.iter()),
            false => serializer.serialize_str(&self.list.text),
        }
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        deserializer.deserialize_any(NamesVisitor)
    }
}

struct NamesVisitor;

impl<'de> Visitor<'de> for NamesVisitor {
    type Value = Names;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("names")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Names, E> {
        let list = NameList::of_text(text);
        Ok(list.ok_or_else(|| E::custom("the last name of a text has no end"))?.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Names, A::Error> {
        let mut list = NameList::default();
        while seq.next_element_seed(EachName(|name: &str| list.push(&[name])))?.is_some() {}
        Ok(list.into())
    }
}

/// Reads a name and does something with it, without making a string of it.
pub(crate) struct EachName<F>(pub F);

impl<'de, F: FnOnce(&str)> DeserializeSeed<'de> for EachName<F> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<F: FnOnce(&str)> Visitor<'_> for EachName<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<(), E> {
        (self.0)(name);
        Ok(())
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
            let names: Names = list.iter().collect();
            for (at, name) in list.iter().enumerate() {
                assert_eq!((names.number(name), names.name(at as u32)), (Some(at as u32), &name[..]));
            }
            for other in ["", "x", "né", "0 ", "\u{0}"] {
                assert_eq!(names.number(other).is_some(), list.iter().any(|name| name == other));
            }
            let file = serde_json::to_string(&names).expect("text");
            let text: String = list.iter().flat_map(|name| [name, "\u{7f}"]).collect();
            assert_eq!(file, serde_json::to_string(&text).expect("text"));
            // Files of before have a list.
            for file in [file, serde_json::to_string(&list).expect("text")] {
                assert_eq!(serde_json::from_str::<Names>(&file).expect("names"), names);
            }
        }
        let twice: Names = ["a", "b", "a"].into_iter().collect();
        assert_eq!((twice.number("a"), twice.number("b"), twice.len()), (Some(2), Some(1), 3));
    }

    #[test]
    fn names_with_the_character_that_ends_them_come_back_from_a_file() {
        let names: Names = ["a\u{7f}b", "\u{7f}", "", "\"\\\t"].into_iter().collect();
        let file = serde_json::to_string(&names).expect("text");
        assert_eq!(serde_json::from_str::<Names>(&file).expect("names"), names);
        let message = serde_json::from_str::<Names>(r#""a\u007fb""#).expect_err("b has no end").to_string();
        assert!(message.starts_with("the last name of a text has no end"), "{message}");
    }
}
