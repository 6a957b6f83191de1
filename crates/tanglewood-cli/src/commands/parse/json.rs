//! Answers as JSON, one object per sentence.

use serde_json::{Map, Value, json};
use tanglewood::conllu::{Column, Id, Sentence};

use super::answer::Answer;
use super::decoder::Way;

/// Appends a line with a sentence's answers, the best first; with `list`, all of them.
pub fn write(
    out: &mut Vec<u8>,
    (file, sentence): (&str, &Sentence<'_>),
    answers: &[Answer],
    way: Way,
    list: bool,
) {
    let Some(best) = answers.first() else { return };
    let words = sentence.rows().filter(|row| matches!(row.id, Id::Word(_)));
    let forms: Vec<_> = words.map(|row| String::from_utf8_lossy(row.get(Column::Form))).collect();
    let mut object = described(best);
    object.insert("file".to_owned(), json!(file));
    object.insert("line".to_owned(), json!(sentence.first_line()));
    object.insert("sent_id".to_owned(), json!(sentence.sent_id()));
    object.insert("forms".to_owned(), json!(forms));
    object.insert("path".to_owned(), json!(way.name()));
    if list {
        let trees: Vec<Value> = answers.iter().map(|answer| Value::Object(described(answer))).collect();
        object.insert("trees".to_owned(), json!(trees));
    }
    out.extend_from_slice(Value::Object(object).to_string().as_bytes());
    out.push(b'\n');
}

fn described(answer: &Answer) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("heads".to_owned(), json!(answer.tree.heads().collect::<Vec<_>>()));
    object.insert("deprels".to_owned(), json!(answer.labels));
    object.insert("score".to_owned(), json!(rounded(answer.score)));
    if let Some(confidence) = &answer.confidence {
        let all = |values: &[Option<f64>]| values.iter().map(|value| value.map(rounded)).collect::<Vec<_>>();
        object.insert("arc_probs".to_owned(), json!(all(&confidence.arcs)));
        object.insert("label_probs".to_owned(), json!(all(&confidence.labels)));
        object.insert("tree_log_prob".to_owned(), json!(confidence.log_tree.map(rounded)));
        object.insert("over".to_owned(), json!(confidence.over));
    }
    object
}

/// To as many places as make sense with scores in single precision.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
