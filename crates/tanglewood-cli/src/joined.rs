//! Pieces of several CoNLL-U files as one.

use std::io::Write;

use crate::output::Output;

/// Writes pieces of several files one after the other such that sentences stay apart.
pub struct Joined {
    pub out: Output,
    written: Ending,
}

/// How the output ends so far.
enum Ending {
    Nothing,
    BlankLine,
    Line,
    MidLine,
}

impl Joined {
    pub fn new(out: Output) -> Joined {
        Joined { out, written: Ending::Nothing }
    }

    /// One piece more, which may begin where its file begins.
    pub fn append(&mut self, piece: &[u8], from_start: bool) -> std::io::Result<()> {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        let bytes = match self.written {
            // The byte-order mark of a later file has no place in the middle. What looks like one elsewhere
            // is content.
            Ending::Line | Ending::MidLine | Ending::BlankLine if from_start => {
                piece.strip_prefix(MARK).unwrap_or(piece)
            }
            _ => piece,
        };
        if bytes.is_empty() {
            return Ok(());
        }
        self.out.write_all(match self.written {
            Ending::Nothing | Ending::BlankLine => b"",
            Ending::Line => b"\n",
            Ending::MidLine => b"\n\n",
        })?;
        self.out.write_all(bytes)?;
        self.written = match bytes {
            [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'] | b"\n" | b"\r\n" => Ending::BlankLine,
            [.., b'\n'] => Ending::Line,
            _ => Ending::MidLine,
        };
        Ok(())
    }
}
