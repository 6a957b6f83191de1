//! An inventory as a small picture in text.

use std::fmt::Write;

use super::inventory::{Inventory, Reduce};
use super::slot::Slot;

impl Inventory {
    /// A grid with one row per dependent slot and one column per head slot, in the order in which they stand:
    /// deepest stack slot on the left, then the buffer.
    ///
    /// ```
    /// use tanglewood::system::System;
    /// let all_s0s1 = System::named("all-s0s1")?;
    /// let rows = [
    ///     "         head s2 s1 s0 │ b0\n",
    ///     " dependent s1  ●  ·  ● │  ●\n",
    ///     " dependent s0  ●  ●  · │  ●\n",
    /// ];
    /// assert_eq!(all_s0s1.inventory().diagram(), rows.concat());
    /// # Ok::<(), tanglewood::system::NameError>(())
    /// ```
    pub fn diagram(&self) -> String {
        let depth = self.depth() as u8;
        let deepest_buffer = self.reduces().iter().filter_map(|reduce| match reduce.head {
            Slot::Buffer(place) => Some(place),
            Slot::Stack(_) | Slot::Ahead => None,
        });
        let buffer: Vec<Slot> =
            deepest_buffer.max().map_or(Vec::new(), |max| (0..=max).map(Slot::Buffer).collect());
        let ahead = self.reduces().iter().any(|reduce| reduce.head == Slot::Ahead).then_some(Slot::Ahead);
        let buffer: Vec<Slot> = buffer.into_iter().chain(ahead).collect();
        let stack: Vec<Slot> = (0..=depth).rev().map(Slot::Stack).collect();

        let mut text = String::new();
        let mut row = |title: &str, cell: &dyn Fn(Slot) -> String| {
            let _ = write!(text, "{title:>13}");
            for (at, &slot) in stack.iter().chain(&buffer).enumerate() {
                let _ = write!(text, "{} {}", if at == stack.len() { " │" } else { "" }, cell(slot));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        };
        row("head", &|slot| format!("{slot:>width$}", slot = slot.to_string(), width = width(slot)));
        for dependent in (0..=self.deepest_dependent() as u8).rev() {
            row(&format!("dependent s{dependent}"), &|head| {
                let mark = if self.contains(Reduce { dependent, head }) { "●" } else { "·" };
                format!("{mark:>width$}", width = width(head))
            });
        }
        text
    }
}

/// Columns are as wide as their titles.
fn width(slot: Slot) -> usize {
    slot.to_string().len()
}
