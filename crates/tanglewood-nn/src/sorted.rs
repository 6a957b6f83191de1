//! A map from names that is read from a file at once and never changed.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Names in order, each with a value. In a file it is a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortedMap<V>(Vec<(Box<str>, V)>);

impl<V> Default for SortedMap<V> {
    fn default() -> SortedMap<V> {
        SortedMap(Vec::new())
    }
}

impl<V> SortedMap<V> {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        let at = self.0.binary_search_by(|(other, _)| (**other).cmp(name)).ok()?;
        Some(&self.0[at].1)
    }
}

impl<V, W: Into<V>> From<BTreeMap<String, W>> for SortedMap<V> {
    fn from(map: BTreeMap<String, W>) -> SortedMap<V> {
        SortedMap(map.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl<V: Serialize> Serialize for SortedMap<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
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
                while let Some(entry) = map.next_entry::<Box<str>, V>()? {
                    entries.push(entry);
                }
                // Files have them in order; others may not.
                if !entries.is_sorted_by(|(a, _), (b, _)| a < b) {
                    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
                    entries.dedup_by(|(a, _), (b, _)| a == b);
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
            serde_json::from_str(r#"{"b": 2, "a": 1, "é": 4, "ab": 3}"#).expect("a map");
        let found = ["a", "ab", "b", "é", "c", ""].map(|name| map.get(name).copied());
        assert_eq!(found, [Some(1), Some(3), Some(2), Some(4), None, None]);
        assert_eq!(serde_json::to_string(&map).expect("text"), r#"{"a":1,"ab":3,"b":2,"é":4}"#);
        let same =
            BTreeMap::from([("a", 1u32), ("ab", 3), ("b", 2), ("é", 4)].map(|(k, v)| (k.to_owned(), v)));
        assert_eq!(SortedMap::<u32>::from(same), map);
        assert!(serde_json::from_str::<SortedMap<u32>>("[1]").is_err());
    }
}
