//! Answers about a matrix, as a line of JSON. Fields are in the order of the alphabet.

use serde::Serialize;
use tanglewood::inference::{Inference, InferenceError, Over, Parse};
use tanglewood::scores::ArcScores;
use tanglewood::system::Direction;

use crate::arguments::DecodeArguments;

#[derive(Serialize)]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entropy: Option<f64>,
    heads: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    log_partition: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marginals: Option<Vec<&'a [f64]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    over: Option<&'static str>,
    path: &'static str,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    trees: Option<Vec<TreeAnswer>>,
}

/// One of the k best.
#[derive(Serialize)]
struct TreeAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    heads: Vec<usize>,
    score: f64,
}

/// What was asked about a matrix, or why there is no answer.
pub fn to_json(
    inference: &Inference,
    arguments: &DecodeArguments,
    scores: &ArcScores,
) -> Result<String, String> {
    let described = |parse: &Parse| {
        let is_told = arguments.direction == Direction::Either && parse.derivation.is_some();
        let direction = is_told.then(|| parse.direction.to_string());
        TreeAnswer { direction, heads: parse.tree.heads().collect(), score: parse.score }
    };
    let failed = |error: InferenceError| error.to_string();
    let (best, trees) = match arguments.k {
        None => (inference.best(scores).map_err(failed)?, None),
        Some(k) => {
            let trees = inference.k_best(scores, k.get()).map_err(failed)?;
            let all = trees.iter().map(described).collect();
            (trees.into_iter().next().ok_or(InferenceError::NoTree).map_err(failed)?, Some(all))
        }
    };
    let TreeAnswer { direction, heads, score } = described(&best);
    let mut answer = Answer {
        direction,
        entropy: None,
        heads,
        log_partition: None,
        marginals: None,
        over: None,
        path: best.path.name(),
        score,
        trees,
    };
    if !arguments.marginals {
        return serde_json::to_string(&answer).map_err(|error| error.to_string());
    }
    let distribution = inference.distribution(scores).map_err(failed)?;
    answer.marginals = Some(distribution.marginals().map_err(failed)?.rows().collect());
    answer.log_partition = Some(distribution.log_partition());
    answer.entropy = Some(distribution.entropy().map_err(failed)?);
    answer.over = Some(match distribution.over() {
        Over::Trees => "trees",
        Over::Derivations => "derivations",
    });
    serde_json::to_string(&answer).map_err(|error| error.to_string())
}
