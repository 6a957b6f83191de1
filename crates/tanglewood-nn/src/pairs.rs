//! A map from pairs of names that is read from a file at once and never changed.

use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::names::{EachName, NameList, Names};

/// Numbers of pairs of names. No name has a tab. In a file, the pairs and then their numbers, or, as it was
/// written before, a map from first names to maps from second ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PairNumbers {
    /// The names of each pair with a tab between them; pairs with the same first name stand together.
    pairs: Names,
    numbers: Vec<u32>,
}

impl PairNumbers {
    /// The number of a pair.
    pub fn get(&self, first: &str, second: &str) -> Option<u32> {
        let place = self.pairs.number(&format!("{first}\t{second}"))?;
        self.numbers.get(place as usize).copied()
    }
}

/// Collects pairs in any order.
#[derive(Default)]
struct Pairs {
    list: NameList,
    numbers: Vec<u32>,
}

impl From<Pairs> for PairNumbers {
    fn from(Pairs { list, numbers }: Pairs) -> PairNumbers {
        PairNumbers { pairs: list.into(), numbers }
    }
}

impl<'n> FromIterator<(&'n str, &'n str, u32)> for PairNumbers {
    /// Pairs with the same first name have to stand together.
    fn from_iter<I: IntoIterator<Item = (&'n str, &'n str, u32)>>(entries: I) -> PairNumbers {
        let mut pairs = Pairs::default();
        for (first, second, number) in entries {
            pairs.list.push(&[first, "\t", second]);
            pairs.numbers.push(number);
        }
        pairs.into()
    }
}

impl Serialize for PairNumbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.pairs, &self.numbers).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PairNumbers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PairNumbers, D::Error> {
        deserializer.deserialize_any(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = PairNumbers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("pairs of names with their numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<PairNumbers, A::Error> {
        let none = || A::Error::invalid_length(0, &self);
        let pairs: Names = seq.next_element()?.ok_or_else(none)?;
        let numbers: Vec<u32> = seq.next_element()?.ok_or_else(none)?;
        if numbers.len() != pairs.len() {
            let (numbers, pairs) = (numbers.len(), pairs.len());
            return Err(A::Error::custom(format!("{numbers} numbers for {pairs} pairs of names")));
        }
        if let Some(name) = pairs.iter().find(|name| !name.contains('\t')) {
            return Err(A::Error::custom(format!("{name:?} is no pair of names")));
        }
        Ok(PairNumbers { pairs, numbers })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PairNumbers, A::Error> {
        let mut pairs = Pairs::default();
        let mut first = String::new();
        while let Some(()) = map.next_key_seed(EachName(|name: &str| name.clone_into(&mut first)))? {
            map.next_value_seed(SecondVisitor { first: &first, pairs: &mut pairs })?;
        }
        Ok(pairs.into())
    }
}

/// Reads the map of a first name.
struct SecondVisitor<'p> {
    first: &'p str,
    pairs: &'p mut Pairs,
}

impl<'de> DeserializeSeed<'de> for SecondVisitor<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for SecondVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map from names to numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let SecondVisitor { first, pairs } = self;
        while let Some(()) =
            map.next_key_seed(EachName(|second: &str| pairs.list.push(&[first, "\t", second])))?
        {
            pairs.numbers.push(map.next_value()?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_as_they_are_written_and_as_maps_of_maps() {
        let file = r#"{"b":{"X":2},"a":{"Y":1,"X":7},"a\u0000":{"X":5},"é":{"":4}}"#;
        let pairs: PairNumbers = serde_json::from_str(file).expect("a map");
        let asked = [("a", "Y"), ("a", "X"), ("a\0", "X"), ("b", "X"), ("é", ""), ("b", "Y"), ("", "")];
        let found = asked.map(|(first, second)| pairs.get(first, second));
        assert_eq!(found, [Some(1), Some(7), Some(5), Some(2), Some(4), None, None]);
        let written = serde_json::to_string(&pairs).expect("text");
        assert_eq!(serde_json::from_str::<PairNumbers>(&written).expect("pairs"), pairs);
        let same = [("b", "X", 2), ("a", "Y", 1), ("a", "X", 7), ("a\0", "X", 5), ("é", "", 4)];
        assert_eq!(PairNumbers::from_iter(same), pairs);
        for wrong in ["[1]", "[]", r#"["a\tb\u007f"]"#, r#"["a\tb\u007f",[]]"#, r#"["ab\u007f",[1]]"#] {
            assert!(serde_json::from_str::<PairNumbers>(wrong).is_err(), "{wrong}");
        }
        assert!(serde_json::from_str::<PairNumbers>(r#"{"a":{"b":"c"}}"#).is_err());
    }
}
