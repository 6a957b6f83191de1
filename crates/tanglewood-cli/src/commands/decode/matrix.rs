//! A matrix of scores in a line of JSON.
//!
//! Lines are long, and reading their numbers would take longer than many of the questions about them. So what
//! is expected, `{"scores": [[…], …]}` with numbers and nulls, is read here; every other line goes to a
//! parser of JSON, which knows what is wrong with it, or that nothing is.

use serde::Deserialize;
use tanglewood::scores::ArcScores;

/// One line of input.
#[derive(Deserialize)]
struct Request {
    scores: Vec<Vec<Option<f64>>>,
}

/// The matrix in a line, or what is wrong with it.
pub fn read(text: &[u8]) -> Result<ArcScores, String> {
    let text = text.trim_ascii();
    let rows = match (Scanner { left: text }).request() {
        Some(rows) => rows,
        None => {
            let request: Request = serde_json::from_slice(text).map_err(|error| {
                // It knows one line only, and calls it the first.
                let error = error.to_string().replace(" at line 1 column ", " at column ");
                format!("not what was expected, {{\"scores\": [[…]…]}}: {error}")
            })?;
            let numbers = |row: Vec<Option<f64>>| {
                row.into_iter().map(|score| score.unwrap_or(f64::NEG_INFINITY)).collect()
            };
            request.scores.into_iter().map(numbers).collect()
        }
    };
    let scores = ArcScores::from_rows::<Vec<f64>>(&rows).map_err(|error| error.to_string())?;
    if scores.is_empty() {
        return Err("a matrix for no words; expected at least two rows, for the root and one word".to_owned());
    }
    Ok(scores)
}

/// Reads what is expected. Every method gives nothing where it finds something else.
struct Scanner<'t> {
    left: &'t [u8],
}

impl Scanner<'_> {
    fn request(mut self) -> Option<Vec<Vec<f64>>> {
        self.expect(b"{")?;
        self.expect(b"\"scores\"")?;
        self.expect(b":")?;
        self.expect(b"[")?;
        let mut rows: Vec<Vec<f64>> = Vec::new();
        loop {
            let row = self.row(rows.first().map_or(0, Vec::len))?;
            rows.push(row);
            if self.expect(b",").is_none() {
                break;
            }
        }
        self.expect(b"]")?;
        self.expect(b"}")?;
        self.left.is_empty().then_some(rows)
    }

    /// A row, of a length that is known if it is not the first.
    fn row(&mut self, length: usize) -> Option<Vec<f64>> {
        self.expect(b"[")?;
        let mut row = Vec::with_capacity(length);
        loop {
            let score = if self.expect(b"null").is_some() { f64::NEG_INFINITY } else { self.number()? };
            row.push(score);
            if self.expect(b",").is_none() {
                break;
            }
        }
        self.expect(b"]")?;
        Some(row)
    }

    /// A number within the range of floats, to the last digit.
    fn number(&mut self) -> Option<f64> {
        let of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = self.left.iter().take_while(|byte| of_number(byte)).count();
        let (number, left) = self.left.split_at(length);
        self.left = left;
        // What JSON does not allow, but Rust does: a plus in front, no digit before or after the point, and
        // further digits after a zero in front.
        let (whole, rest) = digits(number.strip_prefix(b"-").unwrap_or(number));
        let is_json = match (whole, rest) {
            ([] | [b'0', _, ..], _) => false,
            (_, [b'.', rest @ ..]) => !digits(rest).0.is_empty(),
            _ => true,
        };
        let number: f64 = std::str::from_utf8(number).ok()?.parse().ok()?;
        (is_json && number.is_finite()).then_some(number)
    }

    /// A token, after any white space.
    fn expect(&mut self, token: &[u8]) -> Option<()> {
        while let [b' ' | b'\t' | b'\r' | b'\n', left @ ..] = self.left {
            self.left = left;
        }
        self.left = self.left.strip_prefix(token)?;
        Some(())
    }
}

/// The digits in front, and what follows them.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_json() {
        let read = |text: &str| Scanner { left: text.as_bytes() }.number();
        for text in ["0", "-0", "1.5", "-12e3", "1E-7", "10", "0.1e+2", "-153.99760496461641", "5e-324"] {
            assert_eq!(read(text).map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text}");
            assert_eq!(read(text), serde_json::from_str(text).ok(), "{text}");
        }
        for text in ["", "+1", "01", "-01", ".5", "1.", "1.e5", "-", "1e", "1e400", "inf", "--1", "1-1"] {
            assert_eq!(read(text), None, "{text}");
            assert!(serde_json::from_str::<f64>(text).is_err(), "{text}");
        }
    }
}
