//! A derivation as text, with the sentence's words.

use tanglewood::conllu::{Column, Id, Sentence};
use tanglewood::draw::arrow;
use tanglewood::shown::shown;
use tanglewood::system::Direction;
use tanglewood::{Configuration, Derivation, NotCovered, Transition};
use unicode_width::UnicodeWidthStr;

use crate::text::{Table, cut, wrapped};

/// How nodes of a derivation are shown: by number in the sentence, and by form.
pub struct Words {
    forms: Vec<String>,
    direction: Direction,
}

/// How many nodes at most are shown of stack and buffer where there is room.
const SHOWN: usize = 5;

impl Words {
    /// The words of a sentence that is read in the given direction.
    pub fn of(sentence: &Sentence<'_>, direction: Direction) -> Words {
        let forms = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
        let forms = forms.map(|row| shown(&String::from_utf8_lossy(row.get(Column::Form))).into_owned());
        Words { forms: std::iter::once("ROOT".to_owned()).chain(forms).collect(), direction }
    }

    /// The number in the sentence of a node of the derivation.
    pub fn number(&self, node: usize) -> usize {
        if node == 0 || self.direction == Direction::Ltr { node } else { self.forms.len() - node }
    }

    fn form(&self, node: usize) -> &str {
        &self.forms[self.number(node)]
    }

    fn stack(&self, configuration: &Configuration, shown: usize) -> String {
        let nodes = configuration.stack();
        let hidden = nodes.len().saturating_sub(shown);
        let dots = if hidden > 0 { "… " } else { "" };
        let shown: Vec<&str> = nodes.skip(hidden).map(|node| self.form(node)).collect();
        format!("{dots}{}", shown.join(" "))
    }

    fn buffer(&self, configuration: &Configuration, shown: usize) -> String {
        let nodes = configuration.buffer();
        let dots = if nodes.len() > shown { " …" } else { "" };
        let shown: Vec<&str> = nodes.take(shown).map(|node| self.form(node)).collect();
        format!("{}{dots}", shown.join(" "))
    }

    fn arc(&self, (head, dependent): (usize, usize)) -> String {
        arrow(self.form(head), self.form(dependent))
    }

    /// The derivation, a line per step, in lines of at most `width`: where there is less room, fewer words
    /// are shown of stack and buffer, and at last lines are cut.
    pub fn table(&self, derivation: &Derivation, width: usize) -> Vec<String> {
        let fits = |lines: &Vec<String>| lines.iter().all(|line| line.width() <= width);
        let tables = (1..=SHOWN).rev().map(|shown| self.table_of(derivation, shown));
        let narrowest = || self.table_of(derivation, 1).iter().map(|line| cut(line, width)).collect();
        tables.into_iter().find(fits).unwrap_or_else(narrowest)
    }

    /// The same with at most `shown` words of stack and buffer.
    fn table_of(&self, derivation: &Derivation, shown: usize) -> Vec<String> {
        let mut table = Table::new(5);
        table.row(["step", "transition", "arc", "stack (top last)", "buffer"]);
        let start = Configuration::start(derivation.words());
        table.row(["0".to_owned(), String::new(), String::new(), String::new(), self.buffer(&start, shown)]);
        // Derivations come from oracles, which only make legal steps; if one did not, the table would end
        // there.
        let mut number = 0;
        let _ = derivation.each_step(|transition, arc, after| {
            number += 1;
            table.row([
                number.to_string(),
                transition.to_string(),
                arc.map_or(String::new(), |arc| self.arc(arc)),
                self.stack(after, shown),
                self.buffer(after, shown),
            ]);
        });
        table.lines()
    }

    /// Where an attempt ended, and why it could not go on.
    pub fn stuck(&self, not_covered: &NotCovered, width: usize) -> Vec<String> {
        let attempt = Derivation::new(not_covered.stuck.buffer().end - 1, not_covered.transitions.clone());
        let mut lines = self.table(&attempt, width);
        let end = "stuck: the buffer is empty, and no node on the stack is complete with its head in reach";
        lines.extend(wrapped(end, width));
        lines
    }
}

/// Transitions by name.
pub fn names(transitions: &[Transition]) -> Vec<String> {
    transitions.iter().map(ToString::to_string).collect()
}

#[cfg(test)]
mod tests {
    use tanglewood::conllu::Sentences;
    use tanglewood::{Oracle, System, Tree};

    use super::*;

    #[test]
    fn a_derivation_fits_into_eighty_columns_and_less() {
        let row =
            |word: usize| format!("{word}\tincomprehensibility{word}\t_\t_\t_\t_\t{}\tdep\t_\t_\n", word - 1);
        let text: String = (1..=9).map(row).collect::<String>() + "\n";
        let sentence = Sentences::of(text.as_bytes()).next().unwrap();
        let tree = Tree::from_heads(&(0..9).collect::<Vec<_>>()).unwrap();
        let derivation = Oracle::new(&System::named("all").unwrap()).derivation(&tree).unwrap();
        let words = Words::of(&sentence, Direction::Ltr);
        for width in [200, 120, 78, 40] {
            let lines = words.table(&derivation, width);
            assert_eq!(lines.len(), derivation.transitions().len() + 2);
            assert!(lines.iter().all(|line| line.width() <= width), "{width}: {lines:?}");
        }
    }
}
