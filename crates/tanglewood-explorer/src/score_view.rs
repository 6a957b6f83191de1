//! The view of a score matrix: the best tree, the best few, and how probable each arc is.

use serde::Deserialize;
use serde_json::{Value, json};
use tanglewood::Direction;
use tanglewood::draw::{self, Style, Theme, Word};
use tanglewood::inference::{Inference, InferenceError, Over, Parse};
use tanglewood::scores::ArcScores;
use tanglewood::system::TreeClass;

use crate::answer::{Answer, Refusal};
use crate::limits;

const STYLE: Style = Style { theme: Theme::Auto, tags: true, sheet: false };

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
pub struct Question {
    /// A matrix: a line for each head from the root on, with a number for each dependent from the root on; or
    /// the same as JSON.
    matrix: String,
    /// The words, separated by spaces; numbers where there are none.
    #[serde(default)]
    words: String,
    system: String,
    direction: String,
    #[serde(default)]
    multi_root: bool,
    #[serde(default)]
    k: usize,
}

/// The answer to a question.
pub fn answer(question: &Question) -> Answer {
    let refuse = |error: &dyn ToString| Refusal::new(error.to_string());
    let class = TreeClass::named(&question.system)?;
    let direction: Direction = question.direction.parse().map_err(|error| refuse(&error))?;
    let rows = rows(&question.matrix)?;
    let scores = ArcScores::from_rows(&rows).map_err(|error| refuse(&error))?;
    let (count, most) = (scores.len(), limits::chart_words(&class));
    if count == 0 {
        return Err(Refusal::new(
            "a matrix for no words; expected at least two rows, for the root and one word",
        ));
    }
    if count > most {
        let message = format!("a matrix for {count} words; for {class} expected at most {most}");
        return Err(Refusal::of_system(message));
    }
    let inference = Inference::new(class)
        .direction(direction)
        .single_root(!question.multi_root)
        .memory(limits::CHART_BYTES);
    let failed = |error: InferenceError| refuse(&error);
    let words: Vec<Word> = question.words.split_whitespace().map(|form| Word::new(form, "", "")).collect();
    let k = question.k.clamp(1, limits::BEST);
    let trees = inference.k_best(&scores, k).map_err(failed)?;
    let distribution = inference.distribution(&scores).map_err(failed)?;
    let marginals = distribution.marginals().map_err(failed)?;
    let describe = |parse: &Parse| -> Value {
        let labelled: Vec<Word> = (1..=count)
            .map(|word| {
                let form = words.get(word - 1).map_or("", |word| word.form.as_str());
                let probability = marginals.get(parse.tree.head(word), word);
                Word::new(form, "", &format!("{probability:.2}"))
            })
            .collect();
        json!({
            "heads": parse.tree.heads().collect::<Vec<_>>(),
            "score": parse.score,
            "direction": parse.direction.to_string(),
            "svg": draw::tree(&parse.tree, &labelled, &STYLE),
        })
    };
    Ok(json!({
        "trees": trees.iter().map(describe).collect::<Vec<_>>(),
        "marginals": marginals.rows().collect::<Vec<_>>(),
        "forms": (1..=count).map(|word| words.get(word - 1).map_or(word.to_string(), |word| word.form.clone())).collect::<Vec<_>>(),
        "from_right": draw::runs_from_right(&words),
        "log_partition": distribution.log_partition(),
        "entropy": distribution.entropy().map_err(failed)?,
        "over": match distribution.over() {
            Over::Trees => "trees",
            Over::Derivations => "derivations",
        },
    }))
}

/// The rows of a matrix that was typed.
fn rows(text: &str) -> Result<Vec<Vec<f64>>, Refusal> {
    if text.trim_start().starts_with(['{', '[']) { json_rows(text) } else { line_rows(text) }
}

fn json_rows(text: &str) -> Result<Vec<Vec<f64>>, Refusal> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Typed {
        Object { scores: Vec<Vec<Option<f64>>> },
        Matrix(Vec<Vec<Option<f64>>>),
    }
    // Where the text is no JSON at all, the place is known; where it is another kind of JSON, it is not.
    let value: Value = serde_json::from_str(text)
        .map_err(|error| Refusal::at(error.line() as u64, Some(error.column()), error.to_string()))?;
    let typed: Typed = serde_json::from_value(value).map_err(|_| {
        Refusal::new("not a matrix; expected [[…]…] or {\"scores\": [[…]…]} with numbers or null")
    })?;
    let (Typed::Object { scores } | Typed::Matrix(scores)) = typed;
    let number = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
    Ok(scores.into_iter().map(|row| row.into_iter().map(number).collect()).collect())
}

/// A line for each row; what is not allowed is written `-` or `null`.
fn line_rows(text: &str) -> Result<Vec<Vec<f64>>, Refusal> {
    let lines: Vec<(u64, &str)> =
        (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).collect();
    let mut rows = Vec::with_capacity(lines.len());
    for &(number, line) in &lines {
        let mut row = Vec::with_capacity(lines.len());
        for (at, cell) in line.split([' ', '\t', ',']).filter(|cell| !cell.is_empty()).enumerate() {
            row.push(match cell {
                "-" | "null" => f64::NEG_INFINITY,
                _ => cell.parse().ok().filter(|score: &f64| !score.is_nan() && *score < f64::INFINITY).ok_or_else(|| {
                    let shown: String = cell.chars().take(40).collect();
                    Refusal::at(number, None, format!("`{shown}` in place {} is no score; expected a number, or - for an arc that is not allowed", at + 1))
                })?,
            });
        }
        if row.len() != lines.len() {
            let message = format!(
                "{} numbers; expected {}, one for each of the {} rows",
                row.len(),
                lines.len(),
                lines.len()
            );
            return Err(Refusal::at(number, None, message));
        }
        rows.push(row);
    }
    Ok(rows)
}
