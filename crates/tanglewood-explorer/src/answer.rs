//! What a view answers: a JSON value, or what is wrong with the question.

use serde_json::{Value, json};
use tanglewood::conllu::Problem;
use tanglewood::system::NameError;

/// A question that has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// Where in the text the question is wrong, counted from 1.
    pub line: Option<u64>,
    /// The column in that line, counted from 1.
    pub column: Option<usize>,
    /// The field of the question that is wrong, where it is not the text.
    pub field: Option<&'static str>,
    /// Names that may have been meant.
    pub nearest: Vec<String>,
    /// Whether a model could help.
    parsable: bool,
    /// Whether the question can be answered once a model has been handed over.
    pub(crate) awaits_model: bool,
}

/// What a view gives back.
pub type Answer = Result<Value, Refusal>;

impl Refusal {
    /// A question that is wrong as a whole.
    pub fn new(message: impl Into<String>) -> Refusal {
        Refusal {
            message: message.into(),
            line: None,
            column: None,
            field: None,
            nearest: Vec::new(),
            parsable: false,
            awaits_model: false,
        }
    }

    /// About a place in the text.
    pub fn at(line: u64, column: Option<usize>, message: impl Into<String>) -> Refusal {
        Refusal { line: Some(line), column, ..Refusal::new(message) }
    }

    /// A sentence that has no tree yet.
    pub fn without_heads(line: u64) -> Refusal {
        Refusal {
            parsable: true,
            ..Refusal::at(
                line,
                None,
                "a sentence without heads; expected CoNLL-U or words such as Hello/2 world/0",
            )
        }
    }

    /// Says what a model could do about it: parse the sentence, if this server has one.
    pub fn with_model(mut self, has_model: bool) -> Refusal {
        if self.parsable {
            self.message += match has_model {
                true => "; Parse has the model find them",
                false => "; a server started with --model could find them",
            };
        }
        self
    }

    /// A question for a model that is not here yet.
    pub fn awaiting_model() -> Refusal {
        Refusal { awaits_model: true, ..Refusal::new("the model is not here yet") }
    }

    /// About the name of a system.
    pub fn of_system(message: impl Into<String>) -> Refusal {
        Refusal { field: Some("system"), ..Refusal::new(message) }
    }

    /// As it is sent.
    pub fn to_json(&self) -> Value {
        json!({ "error": {
            "message": self.message, "line": self.line, "column": self.column,
            "field": self.field, "nearest": self.nearest,
        } })
    }
}

impl From<NameError> for Refusal {
    fn from(error: NameError) -> Refusal {
        let message = error.to_string();
        let nearest = match error {
            NameError::Unknown { nearest, .. } => nearest,
            _ => Vec::new(),
        };
        Refusal { nearest, ..Refusal::of_system(message) }
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        let message = format!("{}; expected {}", problem.found, problem.expected);
        Refusal::at(problem.line, Some(problem.column), message)
    }
}
