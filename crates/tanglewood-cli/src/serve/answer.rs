//! What a view answers: a JSON value, or what is wrong with the question.

use serde_json::{Value, json};
use tanglewood::conllu::Problem;

/// A question that has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub message: String,
    /// Where in the text the question is wrong, counted from 1.
    pub line: Option<u64>,
    pub column: Option<usize>,
}

/// What a view gives back.
pub type Answer = Result<Value, Refusal>;

impl Refusal {
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), line: None, column: None }
    }

    pub fn at(line: u64, column: Option<usize>, message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), line: Some(line), column }
    }

    pub fn to_json(&self) -> Value {
        json!({ "error": { "message": self.message, "line": self.line, "column": self.column } })
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        let message = format!("{}; expected {}", problem.found, problem.expected);
        Refusal::at(problem.line, Some(problem.column), message)
    }
}
