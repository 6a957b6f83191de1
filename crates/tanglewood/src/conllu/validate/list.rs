//! The list of a sentence's problems, which has a largest length.

use super::MAX_PROBLEMS;
use crate::conllu::problem::{Kind, Problem};

/// The problems of a sentence, at most [`MAX_PROBLEMS`] of them.
#[derive(Default)]
pub(super) struct List {
    problems: Vec<Problem>,
    /// Of those that did not fit, the first that prevents a tree.
    prevents_tree: Option<Problem>,
    others: u64,
}

impl List {
    pub(super) fn add(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            return self.problems.push(problem);
        }
        self.others += 1;
        let first = self.prevents_tree.as_ref().map_or((u64::MAX, usize::MAX), Problem::place);
        if problem.kind.prevents_tree() && problem.place() < first {
            self.prevents_tree = Some(problem);
        }
    }

    pub(super) fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(Problem::place);
        if let Some(problem) = self.prevents_tree {
            // Before any other that prevents a tree, it takes the place of the last one; of none, if it is
            // not the first.
            let first = self.problems.iter().find(|problem| problem.kind.prevents_tree());
            if first.is_none_or(|first| problem.place() < first.place()) {
                self.problems.pop();
                self.problems.push(problem);
                self.problems.sort_by_key(Problem::place);
            }
        }
        if self.others > 0 {
            let (line, column) = self.problems.last().map_or((1, 1), Problem::place);
            let found = match self.others {
                1 => "another problem in this sentence".to_owned(),
                others => format!("{others} more problems in this sentence"),
            };
            let expected = "none".to_owned();
            self.problems.push(Problem { kind: Kind::More, line, column, found, expected });
        }
        self.problems
    }
}
