//! Answers as JSON, one object per sentence.

use serde_json::{Map, Value, json};
use tanglewood::conllu::{Column, Id, Row, Sentence};

use super::answer::Answer;
use super::block::{Analysis, Origin};
use super::conllu::Tags;

/// Appends a line with what was found out about a sentence; with `list`, all of its trees, the best first.
pub fn write<'a>(
    out: &mut Vec<u8>,
    (origin, sentence): (Origin<'_>, &Sentence<'a>),
    analysis: &Analysis,
    (tags, list): (Tags<'a>, bool),
) {
    let mut object = Map::new();
    let mut insert = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    let words: Vec<(usize, Row<'a>)> = sentence
        .rows()
        .filter_map(|row| if let Id::Word(word) = row.id { Some((word as usize, row)) } else { None })
        .collect();
    let column = |column: Column| -> Value {
        words.iter().map(|(word, row)| text(tags.value(row, *word, column))).collect()
    };
    insert("file", json!(origin.file));
    if origin.is_conllu {
        insert("line", json!(sentence.first_line()));
    } else {
        insert("text", json!(sentence.metadata("text")));
        insert("tokens", tokens(sentence));
    }
    insert("sent_id", json!(sentence.sent_id()));
    insert("forms", column(Column::Form));
    for (name, wanted) in
        [("lemmas", Column::Lemma), ("upos", Column::Upos), ("xpos", Column::Xpos), ("feats", Column::Feats)]
    {
        if tags.tags.iter().any(|tags| has(tags, wanted)) {
            insert(name, column(wanted));
        }
    }
    if let Some((answers, way)) = &analysis.trees {
        insert("path", json!(way.name()));
        if list {
            insert("trees", answers.iter().map(|answer| Value::Object(described(answer))).collect());
        }
        if let Some(best) = answers.first() {
            object.append(&mut described(best));
        }
    }
    out.extend_from_slice(Value::Object(object).to_string().as_bytes());
    out.push(b'\n');
}

/// Whether a column was found.
fn has(tags: &tanglewood_nn::WordTags, column: Column) -> bool {
    match column {
        Column::Lemma => tags.lemma.is_some(),
        Column::Upos => tags.upos.is_some(),
        Column::Xpos => tags.xpos.is_some(),
        _ => tags.feats.is_some(),
    }
}

fn text(bytes: &[u8]) -> Value {
    json!(String::from_utf8_lossy(bytes))
}

/// The tokens of a text: form, first and last word, and where it is in the text, if that is known.
fn tokens(sentence: &Sentence<'_>) -> Value {
    let mut inside_until = 0;
    let tokens = sentence.rows().filter_map(|row| {
        let (first, last) = match row.id {
            Id::Range(first, last) => (first, last),
            Id::Word(word) if word > inside_until => (word, word),
            Id::Word(_) | Id::Empty(..) => return None,
        };
        inside_until = last;
        let mut token = Map::new();
        token.insert("form".to_owned(), text(row.get(Column::Form)));
        token.insert("words".to_owned(), json!([first, last]));
        let mut misc = row.get(Column::Misc).split(|&byte| byte == b'|');
        let range = misc.find_map(|attribute| attribute.strip_prefix(b"TokenRange="));
        let range = range.and_then(|range| std::str::from_utf8(range).ok()?.split_once(':'));
        if let Some((start, end)) = range {
            let number = |text: &str| json!(text.parse::<u64>().ok());
            token.insert("range".to_owned(), json!([number(start), number(end)]));
        }
        Some(Value::Object(token))
    });
    tokens.collect()
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
