//! Labels for arcs: the most frequent one between two symbols.

use std::collections::BTreeMap;

use super::symbols::Symbol;
use crate::Tree;

/// What an arc's label depends on: dependent, head, and whether the head is on the right. Without the last
/// two where that has not been met.
pub(super) type Key = (Symbol, Option<(Symbol, bool)>);

/// The most frequent label for each kind of arc. The grammar itself knows no labels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    labels: BTreeMap<Key, String>,
}

impl Labels {
    /// Where nothing is known of the dependent.
    pub const UNKNOWN: &'static str = "dep";

    /// From arcs: dependent, head, whether the head is on the right, label. Of labels that are equally
    /// frequent, the first in order counts. Labels that no file could hold are left out.
    pub fn learn<'l>(arcs: impl IntoIterator<Item = (Symbol, Symbol, bool, &'l str)>) -> Labels {
        let mut counts: BTreeMap<Key, BTreeMap<&str, usize>> = BTreeMap::new();
        for (dependent, head, right, label) in arcs {
            if label.is_empty() || label.chars().any(char::is_control) {
                continue;
            }
            for key in [(dependent, Some((head, right))), (dependent, None)] {
                *counts.entry(key).or_default().entry(label).or_default() += 1;
            }
        }
        let labels = counts.into_iter().filter_map(|(key, labels)| {
            let most = labels.values().max().copied()?;
            let (label, _) = labels.into_iter().find(|&(_, count)| count == most)?;
            Some((key, label.to_owned()))
        });
        Labels { labels: labels.collect() }
    }

    /// The label of an arc between symbols; `right` if the head is on the right.
    pub fn get(&self, dependent: Symbol, head: Symbol, right: bool) -> &str {
        let known = self.labels.get(&(dependent, Some((head, right))));
        known.or_else(|| self.labels.get(&(dependent, None))).map_or(Labels::UNKNOWN, String::as_str)
    }

    /// The labels of a tree, word by word. Only the root's dependents are `root`.
    pub fn of_tree<'l>(&'l self, words: &[Symbol], tree: &Tree) -> Vec<&'l str> {
        let label = |(head, word): (usize, usize)| match head.checked_sub(1).and_then(|at| words.get(at)) {
            None => "root",
            Some(&of_head) => match self.get(words[word - 1], of_head, head > word) {
                "root" => Labels::UNKNOWN,
                label => label,
            },
        };
        tree.arcs().map(label).collect()
    }

    pub(super) fn entries(&self) -> &BTreeMap<Key, String> {
        &self.labels
    }

    pub(super) fn new(labels: impl IntoIterator<Item = (Key, String)>) -> Labels {
        Labels { labels: labels.into_iter().collect() }
    }
}
