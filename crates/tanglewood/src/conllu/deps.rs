//! The column of enhanced dependencies.

use super::id::Id;

/// One enhanced dependency: the governor's id and the relation.
pub(super) fn parse(deps: &[u8]) -> impl Iterator<Item = Option<(Id, &[u8])>> {
    deps.split(|&byte| byte == b'|').map(|item| {
        let colon = item.iter().position(|&byte| byte == b':')?;
        let relation = &item[colon + 1..];
        let governor = match &item[..colon] {
            b"0" => Id::Word(0),
            id => Id::parse(id).filter(|id| !matches!(id, Id::Range(..)))?,
        };
        (!relation.is_empty()).then_some((governor, relation))
    })
}
