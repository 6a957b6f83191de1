//! Files that are opened from the page.

use serde_json::json;

use super::views::opened;
use super::{Treebank, TreebankFile};
use crate::answer::{Answer, Refusal};
use crate::explorer::Unpack;
use crate::limits;

/// Takes a file; compressed ones are unpacked. The answer names it and lists all files.
pub fn open(treebank: &Treebank, name: &str, bytes: Vec<u8>, unpack: Unpack) -> Answer {
    let bytes = unpack(bytes, limits::UPLOAD_BYTES as u64)
        .map_err(|error| Refusal::new(format!("cannot read the file: {error}")))?;
    let Some(bytes) = bytes else {
        let most = limits::UPLOAD_BYTES >> 20;
        return Err(Refusal::new(format!("a file of more than {most} MiB when it is unpacked")));
    };
    let name: String = decoded(name).chars().filter(|character| !character.is_control()).take(200).collect();
    let file = TreebankFile::indexed(if name.is_empty() { "file".to_owned() } else { name }, bytes, true);
    if !file.entries().iter().any(|entry| entry.valid) {
        return Err(Refusal::new("there is no tree in that file; expected CoNLL-U"));
    }
    let file = treebank.add(file);
    Ok(json!({ "name": file.name, "files": opened(treebank) }))
}

/// What stands for itself or for bytes, as addresses write them: `%20`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, others @ ..] = rest {
        let byte = match others {
            [high, low, ..] if *first == b'%' => std::str::from_utf8(&[*high, *low])
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
            _ => None,
        };
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &others[2..] } else { others };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_decoded_and_what_is_no_code_stays() {
        assert_eq!(decoded("a%20b%C3%A9.conllu"), "a bé.conllu");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%4"), "%zz%4");
    }
}
