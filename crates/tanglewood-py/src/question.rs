//! Which trees are asked about: those of a system, or all of them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::inference::{Inference, Over};
use tanglewood::scores::ArcScores;
use tanglewood::semiring::Wide;
use tanglewood::spanning::{Spanning, Workspace};
use tanglewood::{Direction, System, Tree};

/// Names for the absence of a system.
const ANY: [&str; 2] = ["any", "mst"];

/// How many systems are kept ready for the next call. There are fewer with a name; inventories written out could be any number.
const KEPT: usize = 256;

/// A class of trees, and how much memory may be used to find some.
#[derive(Clone, Debug)]
pub struct Question {
    system: String,
    direction: Direction,
    single_root: bool,
    memory: u64,
}

/// What can answer it.
#[derive(Clone, Copy)]
pub enum Decoder<'a> {
    System(&'a Inference<'a>),
    All(Spanning),
}

/// A tree and its score.
pub struct Scored {
    pub tree: Tree,
    pub score: f64,
}

impl Question {
    pub fn new(
        system: &str,
        direction: &str,
        single_root: bool,
        max_memory: Option<u64>,
    ) -> PyResult<Question> {
        let direction = self::direction(direction)?;
        let memory = max_memory.unwrap_or(Inference::DEFAULT_MEMORY);
        Ok(Question { system: system.to_owned(), direction, single_root, memory })
    }

    /// How many threads may work on sentences of these lengths at once, and how much memory each of them may use. A sentence that fits in
    /// the memory fits whatever the number of threads is: there are fewer of them, then.
    fn share(&self, inference: &Inference<'_>, lengths: &[usize], threads: usize) -> (usize, u64) {
        let threads = threads.min(lengths.len()).max(1);
        let longest = lengths.iter().copied().max().unwrap_or(0);
        match inference.bytes_needed(longest, size_of::<Wide>()) {
            Some(bytes) => {
                // Marginals take two charts, and large scores wide numbers.
                let at_once = self.memory / bytes.saturating_mul(2).max(1);
                let threads = usize::try_from(at_once).unwrap_or(usize::MAX).clamp(1, threads);
                (threads, self.memory / threads as u64)
            }
            // It depends on the scores, then. The number of threads is to make no difference.
            None => (threads, self.memory / crate::pool::cores() as u64),
        }
    }

    /// Answers for sentences of these lengths: hands over the decoder, and how many threads may use it.
    pub fn ask<T>(
        &self,
        lengths: &[usize],
        threads: Option<usize>,
        answer: impl FnOnce(Decoder<'_>, usize) -> T,
    ) -> PyResult<T> {
        let threads = threads.unwrap_or_else(crate::pool::cores).max(1);
        if ANY.contains(&&*self.system) {
            return Ok(answer(Decoder::All(Spanning::new().single_root(self.single_root)), threads));
        }
        let with = |inference: &Inference<'_>| {
            let (threads, memory) = self.share(inference, lengths, threads);
            if memory == Inference::DEFAULT_MEMORY {
                answer(Decoder::System(inference), threads)
            } else {
                answer(Decoder::System(&inference.clone().memory(memory)), threads)
            }
        };
        match kept(&self.system, self.direction, self.single_root)? {
            Ok(inference) => Ok(with(inference)),
            Err(system) => Ok(with(&prepared(&system, self.direction, self.single_root))),
        }
    }
}

fn prepared(system: &System, direction: Direction, single_root: bool) -> Inference<'_> {
    Inference::new(system).direction(direction).single_root(single_root)
}

/// A system that is ready to use since an earlier call, for a short call takes less time than to make one; the system itself if there is no room to keep it.
///
/// What is kept is never given back, and there is a bound for it.
fn kept(
    name: &str,
    direction: Direction,
    single_root: bool,
) -> PyResult<Result<&'static Inference<'static>, System>> {
    type Kept = HashMap<String, HashMap<(Direction, bool), &'static Inference<'static>>>;
    static READY: Mutex<Option<Kept>> = Mutex::new(None);
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    let ready = ready.get_or_insert_with(HashMap::new);
    if let Some(inference) = ready.get(name).and_then(|ready| ready.get(&(direction, single_root))) {
        return Ok(Ok(inference));
    }
    let system = self::system(name)?;
    if ready.values().map(HashMap::len).sum::<usize>() >= KEPT {
        return Ok(Err(system));
    }
    let system: &'static System = Box::leak(Box::new(system));
    let inference: &'static Inference<'static> =
        Box::leak(Box::new(prepared(system, direction, single_root)));
    ready.entry(name.to_owned()).or_default().insert((direction, single_root), inference);
    Ok(Ok(inference))
}

/// The system of that name.
pub fn system(name: &str) -> PyResult<System> {
    System::named(name).map_err(|error| {
        let hint = "`tanglewood.systems()` lists the names, and `any` stands for all trees";
        let error = error.to_string().replace("`tanglewood systems` lists the names", hint);
        PyValueError::new_err(error)
    })
}

/// The direction of that name.
pub fn direction(name: &str) -> PyResult<Direction> {
    name.parse::<Direction>().map_err(|error| PyValueError::new_err(error.to_string()))
}

thread_local! {
    static WORKSPACE: RefCell<Workspace> = RefCell::new(Workspace::new());
}

/// Errors are messages: the caller knows which element of the batch they are about.
impl Decoder<'_> {
    pub fn best(self, scores: &ArcScores) -> Result<Scored, String> {
        match self {
            Decoder::System(inference) => {
                let best = inference.best(scores).map_err(message)?;
                Ok(Scored { tree: best.tree, score: best.score })
            }
            Decoder::All(spanning) => WORKSPACE.with_borrow_mut(|workspace| {
                let best = spanning.best_with(scores, workspace).map_err(message)?;
                Ok(Scored { tree: best.tree, score: best.score })
            }),
        }
    }

    pub fn k_best(self, scores: &ArcScores, k: usize) -> Result<Vec<Scored>, String> {
        match self {
            Decoder::System(inference) => {
                let trees = inference.k_best(scores, k).map_err(message)?;
                Ok(trees.into_iter().map(|parse| Scored { tree: parse.tree, score: parse.score }).collect())
            }
            Decoder::All(spanning) => {
                let trees = spanning.k_best(scores, k).map_err(message)?;
                Ok(trees.into_iter().map(|best| Scored { tree: best.tree, score: best.score }).collect())
            }
        }
    }

    pub fn log_partition(self, scores: &ArcScores) -> Result<f64, String> {
        match self {
            Decoder::System(inference) => inference.log_partition(scores).map_err(message),
            Decoder::All(spanning) => Ok(spanning.log_partition(scores)),
        }
    }

    pub fn marginals(self, scores: &ArcScores) -> Result<Vec<Vec<f64>>, String> {
        match self {
            Decoder::System(inference) => inference.marginals(scores).map_err(message),
            Decoder::All(spanning) => spanning.marginals(scores).map_err(message),
        }
    }

    pub fn entropy(self, scores: &ArcScores) -> Result<f64, String> {
        match self {
            Decoder::System(inference) => inference.entropy(scores).map_err(message),
            Decoder::All(spanning) => spanning.entropy(scores).map_err(message),
        }
    }

    pub fn log_probability(self, scores: &ArcScores, tree: &Tree) -> Result<f64, String> {
        match self {
            Decoder::System(inference) => inference.log_probability(scores, tree).map_err(message),
            Decoder::All(spanning) => spanning.log_probability(scores, tree).map_err(message),
        }
    }

    pub fn samples(self, scores: &ArcScores, count: usize, seed: u64) -> Result<Vec<Tree>, String> {
        match self {
            Decoder::System(inference) => inference.samples(scores, count, seed).map_err(message),
            Decoder::All(spanning) => spanning.samples(scores, count, seed).map_err(message),
        }
    }
}

fn message(error: impl std::error::Error) -> String {
    error.to_string()
}

/// The transition systems that have a name: a list of dicts, which pandas turns into a table.
///
/// ``time`` and ``space`` are exponents: exact inference in n words takes O(n**time) steps.
///
/// >>> import tanglewood
/// >>> [row["time"] for row in tanglewood.systems() if row["name"] in ("mh4+", "all")]
/// [7, 4]
#[pyfunction]
pub fn systems(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let row = |system: &System| {
        let row = PyDict::new(py);
        row.set_item("name", system.name())?;
        row.set_item("time", system.complexity().time)?;
        row.set_item("space", system.complexity().space)?;
        row.set_item("frame", system.frame())?;
        row.set_item("inventory", system.inventory().to_string())?;
        Ok(row)
    };
    System::all().iter().map(row).collect()
}

/// What sums are over: ``"trees"``, or ``"derivations"`` where a tree counts as often as there are runs of the system that build it.
///
/// >>> import tanglewood
/// >>> tanglewood.sums_over("any"), tanglewood.sums_over("mh3", "ltr"), tanglewood.sums_over("mh4+")
/// ('trees', 'trees', 'derivations')
#[pyfunction]
#[pyo3(signature = (system="mh4+", direction="either"))]
pub fn sums_over(system: &str, direction: &str) -> PyResult<&'static str> {
    let question = Question::new(system, direction, true, None)?;
    question.ask(&[], None, |decoder, _| match decoder {
        Decoder::All(_) => "trees",
        Decoder::System(inference) => match inference.sums_over() {
            Over::Trees => "trees",
            Over::Derivations => "derivations",
        },
    })
}
