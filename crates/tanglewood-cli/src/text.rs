//! Tables and numbers for people.

use unicode_width::UnicodeWidthStr;

/// Rows of cells, printed with aligned columns.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Columns from this one on are aligned to the right.
    right_from: usize,
}

impl Table {
    /// A table whose first columns, up to `right_from`, are text and the others numbers.
    pub fn new(right_from: usize) -> Table {
        Table { rows: Vec::new(), right_from }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The rows as lines.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|at| {
                self.rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.width()).max().unwrap_or(0)
            })
            .collect();
        self.rows.iter().map(move |row| {
            let mut line = String::new();
            for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let padding = " ".repeat(width - cell.width());
                let gap = if at == 0 { "" } else { "  " };
                line += &if at >= self.right_from {
                    format!("{gap}{padding}{cell}")
                } else {
                    format!("{gap}{cell}{padding}")
                };
            }
            line.truncate(line.trim_end().len());
            line
        })
    }
}

/// A number with separators: 12,345.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in percent with two decimals; a dash if there is nothing to take a share of.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.2} %", 100.0 * part as f64 / whole as f64) }
}

/// `O(n⁶)`.
pub fn order_of(exponent: u32) -> String {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.to_string();
    let raised: String = digits.bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]).collect();
    format!("O(n{raised})")
}

/// "1 word", "2 words".
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}
