//! The named systems, with what decides whether they cover a tree.

use serde_json::{Value, json};
use tanglewood::{Oracle, System, Tree};

/// The systems of the table, with their oracles.
pub struct Systems(Vec<(System, Oracle)>);

impl Systems {
    pub fn new() -> Systems {
        let with_oracle = |system: System| {
            let oracle = Oracle::new(&system);
            (system, oracle)
        };
        Systems(System::all().into_iter().map(with_oracle).collect())
    }

    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(system, _)| system.name()).collect()
    }

    /// A row for each system: what exact inference costs, and whether it builds the tree in either direction.
    pub fn coverage(&self, tree: &Tree) -> Vec<Value> {
        let mirrored = tree.mirrored();
        let row = |(system, oracle): &(System, Oracle)| {
            json!({
                "system": system.name(),
                "time": system.complexity().time,
                "ltr": oracle.covers(tree),
                "rtl": oracle.covers(&mirrored),
            })
        };
        self.0.iter().map(row).collect()
    }
}
