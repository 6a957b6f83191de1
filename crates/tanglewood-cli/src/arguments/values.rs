//! Values that are typed: lists of systems, lengths, sizes.

use std::str::FromStr;

use tanglewood::System;
use tanglewood::system::{NameError, TreeClass};

/// The systems of a LIST, all trees among them if they are named.
#[derive(Clone, Debug)]
pub struct SystemList(pub Vec<TreeClass>);

impl FromStr for SystemList {
    type Err = NameError;

    /// Names between commas. Single pairs next to each other (`s0>s1,s1>s0`) are one inventory, as without
    /// commas. Alone, `all` means all systems; beside other names it is the system of that name.
    fn from_str(text: &str) -> Result<SystemList, NameError> {
        match text {
            "paper" => return Ok(SystemList(classes(System::paper()))),
            "all" => return Ok(SystemList(classes(System::all()))),
            _ => {}
        }
        let mut names: Vec<String> = Vec::new();
        let mut in_pairs = false;
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let is_pair = part.contains('>') && !part.contains(' ');
            match names.last_mut().filter(|_| in_pairs && is_pair) {
                Some(inventory) => *inventory = format!("{inventory} {part}"),
                None => names.push(part.to_owned()),
            }
            in_pairs = is_pair;
        }
        if names.is_empty() {
            return TreeClass::named(text).map(|system| SystemList(vec![system]));
        }
        let mut systems: Vec<TreeClass> = Vec::new();
        for name in &names {
            let named = match name.as_str() {
                "paper" => classes(System::paper()),
                _ => vec![TreeClass::named(name)?],
            };
            for system in named {
                // Naming a system twice asks for one column.
                if !systems.contains(&system) {
                    systems.push(system);
                }
            }
        }
        Ok(SystemList(systems))
    }
}

fn classes(systems: Vec<System>) -> Vec<TreeClass> {
    systems.into_iter().map(TreeClass::from).collect()
}

/// Numbers of words, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LengthRange {
    pub min: usize,
    pub max: usize,
}

impl FromStr for LengthRange {
    type Err = String;

    fn from_str(text: &str) -> Result<LengthRange, String> {
        let error =
            || format!("`{text}` is not a range of lengths; expected MIN..MAX, MIN.., ..MAX or one number");
        let end = |text: &str, open: usize| {
            if text.is_empty() { Ok(open) } else { text.parse().map_err(|_| error()) }
        };
        let (min, max) = match text.split_once("..") {
            Some((min, max)) => (end(min, 0)?, end(max, usize::MAX)?),
            None => text.parse().map(|length| (length, length)).map_err(|_| error())?,
        };
        if min > max {
            Err(format!("`{text}` is empty; expected MIN to be at most MAX"))
        } else {
            Ok(LengthRange { min, max })
        }
    }
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let error = || {
            format!(
                "`{text}` is not a size; expected a number of bytes, or one with k, M, G or T such as 500M"
            )
        };
        let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
        let factor =
            match text[digits.len()..].to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
                "" => 1.0,
                "k" => 1024.0,
                "m" => 1024.0 * 1024.0,
                "g" => 1024.0 * 1024.0 * 1024.0,
                "t" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
                _ => return Err(error()),
            };
        let number: f64 = digits.parse().map_err(|_| error())?;
        // The cast saturates, which is what is meant by a limit beyond all memory.
        if number.is_finite() && number >= 0.0 { Ok(Bytes((number * factor) as u64)) } else { Err(error()) }
    }
}
