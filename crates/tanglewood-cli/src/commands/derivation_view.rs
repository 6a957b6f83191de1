//! A derivation as text, with the sentence's words.

use tanglewood::conllu::{Column, Id, Sentence};
use tanglewood::system::Direction;
use tanglewood::{Configuration, Derivation, NotCovered, Transition};

use crate::text::Table;

/// How nodes of a derivation are shown: by number in the sentence, and by form.
pub struct Words {
    forms: Vec<String>,
    direction: Direction,
}

/// How many nodes at most are shown of stack and buffer.
const SHOWN: usize = 5;

impl Words {
    /// The words of a sentence that is read in the given direction.
    pub fn of(sentence: &Sentence<'_>, direction: Direction) -> Words {
        let forms = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
        let forms = forms.map(|row| String::from_utf8_lossy(row.get(Column::Form)).into_owned());
        Words { forms: std::iter::once("ROOT".to_owned()).chain(forms).collect(), direction }
    }

    /// The number in the sentence of a node of the derivation.
    pub fn number(&self, node: usize) -> usize {
        if node == 0 || self.direction == Direction::Ltr { node } else { self.forms.len() - node }
    }

    fn form(&self, node: usize) -> &str {
        &self.forms[self.number(node)]
    }

    fn stack(&self, configuration: &Configuration) -> String {
        let nodes = configuration.stack();
        let hidden = nodes.len().saturating_sub(SHOWN);
        let dots = if hidden > 0 { "… " } else { "" };
        let shown: Vec<&str> = nodes.skip(hidden).map(|node| self.form(node)).collect();
        format!("{dots}{}", shown.join(" "))
    }

    fn buffer(&self, configuration: &Configuration) -> String {
        let nodes = configuration.buffer();
        let dots = if nodes.len() > SHOWN { " …" } else { "" };
        let shown: Vec<&str> = nodes.take(SHOWN).map(|node| self.form(node)).collect();
        format!("{}{dots}", shown.join(" "))
    }

    fn arc(&self, (head, dependent): (usize, usize)) -> String {
        format!("{} → {}", self.form(head), self.form(dependent))
    }

    /// The derivation, a line per step.
    pub fn table(&self, derivation: &Derivation) -> Vec<String> {
        let mut table = Table::new(5);
        table.row(["step", "transition", "arc", "stack (top last)", "buffer"]);
        let start = Configuration::start(derivation.words());
        table.row(["0".to_owned(), String::new(), String::new(), String::new(), self.buffer(&start)]);
        // Derivations come from oracles, which only make legal steps; if one did not, the table would end there.
        let mut number = 0;
        let _ = derivation.each_step(|transition, arc, after| {
            number += 1;
            table.row([
                number.to_string(),
                transition.to_string(),
                arc.map_or(String::new(), |arc| self.arc(arc)),
                self.stack(after),
                self.buffer(after),
            ]);
        });
        table.lines()
    }

    /// Where an attempt ended, and why it could not go on.
    pub fn stuck(&self, not_covered: &NotCovered) -> Vec<String> {
        let attempt = Derivation::new(not_covered.stuck.buffer().end - 1, not_covered.transitions.clone());
        let mut lines = self.table(&attempt);
        lines.push(
            "stuck: the buffer is empty, and no node on the stack is complete with its head in reach"
                .to_owned(),
        );
        lines
    }
}

/// Transitions by name.
pub fn names(transitions: &[Transition]) -> Vec<String> {
    transitions.iter().map(ToString::to_string).collect()
}
