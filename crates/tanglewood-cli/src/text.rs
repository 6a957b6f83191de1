//! Tables and numbers for people.

use tanglewood::shown::shown;
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

    /// Adds a row. What a terminal would obey in it is escaped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        self.rows.push(cells.into_iter().map(|cell| shown(cell.as_ref()).into_owned()).collect());
    }

    /// The rows as lines.
    pub fn lines(&self) -> Vec<String> {
        self.panels(usize::MAX).pop().unwrap_or_default()
    }

    /// The rows as lines, folded into panels of at most `width`: each has the first column and as many of the
    /// others as fit, at least one.
    pub fn panels(&self, width: usize) -> Vec<Vec<String>> {
        let widths = self.widths();
        let Some(first) = widths.first() else { return Vec::new() };
        let mut panels: Vec<Vec<usize>> = Vec::new();
        let mut used = 0;
        for (column, needed) in widths.iter().enumerate().skip(1) {
            let needed = GAP.len() + needed;
            match panels.last_mut().filter(|_| used + needed <= width) {
                Some(panel) => panel.push(column),
                None => {
                    panels.push(vec![0, column]);
                    used = *first;
                }
            }
            used += needed;
        }
        if panels.is_empty() {
            panels.push(vec![0]);
        }
        panels.iter().map(|columns| self.lines_of(columns, &widths)).collect()
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width_of =
            |at| self.rows.iter().filter_map(|row| row.get(at)).map(|cell: &String| cell.width()).max();
        (0..columns).map(|at| width_of(at).unwrap_or(0)).collect()
    }

    fn lines_of(&self, columns: &[usize], widths: &[usize]) -> Vec<String> {
        let line = |row: &Vec<String>| {
            let cells = columns.iter().filter_map(|&at| Some((at, row.get(at)?, widths[at])));
            let padded = cells.map(|(at, cell, width)| {
                let padding = " ".repeat(width - cell.width());
                if at >= self.right_from { padding + cell } else { cell.clone() + &padding }
            });
            padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
        };
        self.rows.iter().map(line).collect()
    }
}

/// What stands between columns.
const GAP: &str = "  ";

/// How many characters fit into a line of the terminal that standard output is, if it is one.
pub fn terminal_width() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// How many characters a line has where nobody says otherwise.
pub const USUAL_WIDTH: usize = 80;

/// A text in lines of at most `width`, broken between words. A word that is longer has a line of its own.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.width() + 1 + word.width() <= width) {
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A line cut where it would be wider than `width`, with dots for the rest.
pub fn cut(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    let mut kept = String::new();
    for character in line.chars() {
        let longer = format!("{kept}{character}");
        if longer.width() + 1 > width {
            break;
        }
        kept = longer;
    }
    kept + "…"
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

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(1);
        table.row(["file", "one", "two", "three"]);
        table.row(["a", "1", "22", "333"]);
        table
    }

    #[test]
    fn numbers_are_aligned_to_the_right_by_what_is_seen() {
        let mut table = Table::new(1);
        table.row(["語", "7"]);
        table.row(["word", "1,000"]);
        assert_eq!(table.lines(), ["語        7", "word  1,000"]);
    }

    #[test]
    fn a_table_too_wide_is_folded_and_the_first_column_repeated() {
        assert_eq!(
            table().panels(16),
            [vec!["file  one  two", "a       1   22"], vec!["file  three", "a       333"]]
        );
        assert_eq!(table().panels(usize::MAX).len(), 1);
    }

    #[test]
    fn however_narrow_each_panel_has_a_column() {
        assert_eq!(table().panels(0).len(), 3);
    }

    #[test]
    fn lines_are_broken_between_words_and_cut_within_the_width() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a incomprehensible b", 5), ["a", "incomprehensible", "b"]);
        assert_eq!(cut("語語語", 5), "語語…");
        assert_eq!(cut("abc", 3), "abc");
    }

    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn exponents_of_any_size_are_raised() {
        assert_eq!(order_of(10), "O(n¹⁰)");
    }
}
