//! Places on the stack and in the buffer.

use std::fmt;
use std::str::FromStr;

/// A place an inventory may name: `s0` is the top of the stack, `b0` the front of the buffer, `ahead` any
/// buffer node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// The i-th node from the top of the stack.
    Stack(u8),
    /// The i-th node from the front of the buffer.
    Buffer(u8),
    /// Whichever node of the buffer is wanted. It costs exact inference nothing, because the buffer is always
    /// the unread rest of the sentence.
    Ahead,
}

/// A place in one particular configuration: what a [`Slot`] stands for when a transition is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Address {
    /// The i-th node from the top of the stack.
    Stack(usize),
    /// The i-th node from the front of the buffer.
    Buffer(usize),
}

/// A text that names no slot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a slot; expected s0 to s{max}, b0 to b{max}, or ahead", max = Slot::DEEPEST)]
pub struct SlotError(pub(super) String);

impl Slot {
    /// Stack and buffer slots go from 0 to this.
    pub const DEEPEST: u8 = 15;
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slot::Stack(place) => write!(f, "s{place}"),
            Slot::Buffer(place) => write!(f, "b{place}"),
            Slot::Ahead => write!(f, "ahead"),
        }
    }
}

impl FromStr for Slot {
    type Err = SlotError;

    fn from_str(text: &str) -> Result<Slot, SlotError> {
        let error = || SlotError(text.to_owned());
        if text == "ahead" {
            return Ok(Slot::Ahead);
        }
        let kind = match text.as_bytes().first() {
            Some(b's') => Slot::Stack,
            Some(b'b') => Slot::Buffer,
            _ => return Err(error()),
        };
        let digits = &text[1..];
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error());
        }
        digits.parse().ok().filter(|&place| place <= Slot::DEEPEST).map(kind).ok_or_else(error)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Stack(place) => write!(f, "s{place}"),
            Address::Buffer(place) => write!(f, "b{place}"),
        }
    }
}
