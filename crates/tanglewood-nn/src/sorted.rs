//! A map from names that is read from a file at once and never changed.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names in order, each with its first bytes, by which most comparisons are decided, and a value. In a file it is a
/// map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<V>(Vec<(u64, Box<str>, V)>);

/// The first eight bytes of a name, which are in the order of names; shorter ones are filled up with zeros.
fn beginning(name: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = name.len().min(8);
    bytes[..length].copy_from_slice(&name.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}

impl<V> Default for SortedMap<V> {
    fn default() -> SortedMap<V> {
        SortedMap(Vec::new())
    }
}

impl<V> SortedMap<V> {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        let start = beginning(name);
        let order = |(other_start, other, _): &(u64, Box<str>, V)| {
            other_start.cmp(&start).then_with(|| (**other).cmp(name))
        };
        let at = self.0.binary_search_by(order).ok()?;
        Some(&self.0[at].2)
    }
}

impl<V, W: Into<V>> From<BTreeMap<String, W>> for SortedMap<V> {
    fn from(map: BTreeMap<String, W>) -> SortedMap<V> {
        let entry = |(name, value): (String, W)| (beginning(&name), name.into(), value.into());
        SortedMap(map.into_iter().map(entry).collect())
    }
}

impl<V: Serialize> Serialize for SortedMap<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(_, name, value)| (name, value)))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for SortedMap<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SortedMap<V>, D::Error> {
        struct Entries<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = SortedMap<V>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SortedMap<V>, A::Error> {
                let mut entries = Vec::new();
                while let Some((name, value)) = map.next_entry::<Box<str>, V>()? {
                    entries.push((beginning(&name), name, value));
                }
                // Files have them in order; others may not.
                if !entries.is_sorted_by(|(_, a, _), (_, b, _)| a < b) {
                    entries.sort_by(|(_, a, _), (_, b, _)| a.cmp(b));
                    entries.dedup_by(|(_, a, _), (_, b, _)| a == b);
                }
                Ok(SortedMap(entries))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read_in_any_order_and_written_in_one() {
        let map: SortedMap<u32> =
            serde_json::from_str(r#"{"b": 2, "a": 1, "é": 4, "ab": 3, "a\u0000": 5}"#).expect("a map");
        let found = ["a", "a\0", "ab", "b", "é", "c", ""].map(|name| map.get(name).copied());
        assert_eq!(found, [Some(1), Some(5), Some(3), Some(2), Some(4), None, None]);
        assert_eq!(serde_json::to_string(&map).expect("text"), r#"{"a":1,"a\u0000":5,"ab":3,"b":2,"é":4}"#);
        let same = BTreeMap::from(
            [("a", 1u32), ("a\0", 5), ("ab", 3), ("b", 2), ("é", 4)].map(|(k, v)| (k.to_owned(), v)),
        );
        assert_eq!(SortedMap::<u32>::from(same), map);
        assert!(serde_json::from_str::<SortedMap<u32>>("[1]").is_err());
    }
}
