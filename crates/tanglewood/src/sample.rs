//! A small treebank written for this project: crossing arcs from many languages, each with the phenomenon
//! named.

/// The treebank as CoNLL-U text.
pub const TREEBANK: &str = include_str!("../sample/tangles.conllu");
