//! Which trees are asked about: those of a system, or all of them.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::inference::{Inference, InferenceError, Over, Purpose};
use tanglewood::system::{NameError, TreeClass};
use tanglewood::{Direction, System};

use crate::arguments::Whole;
use crate::pool;

/// Number of systems that are kept ready for the next call. Fewer have a name; inventories written out could
/// be any number.
const KEPT: usize = 256;

/// A class of trees, and how much memory may be used to find some.
#[derive(Clone, Debug)]
pub struct Question {
    inference: Inference,
    memory: u64,
}

impl Question {
    pub fn new(
        system: &str,
        direction: &str,
        single_root: bool,
        max_memory: Option<Whole>,
    ) -> PyResult<Question> {
        let inference = prepared(system, self::direction(direction)?, single_root)?;
        Ok(Question { inference, memory: memory(max_memory)? })
    }

    /// The bytes that charts may take.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The number of threads that may work on sentences of these lengths at once, and the inference that each
    /// of them may use. A sentence that fits in the memory fits whatever the number of threads is: there are
    /// fewer of them, then.
    pub fn share(&self, lengths: &[usize], threads: Option<Whole>) -> PyResult<(Inference, usize)> {
        let threads = pool::threads(threads)?.min(lengths.len()).max(1);
        let longest = lengths.iter().copied().max().unwrap_or(0);
        // Distributions over scores of very different sizes need most.
        let bytes = self.inference.bytes_for(longest, Purpose::Sums).max(1);
        let at_once = usize::try_from(self.memory / bytes).unwrap_or(usize::MAX).clamp(1, threads);
        Ok((self.inference.clone().memory(self.memory / at_once as u64), at_once))
    }

    /// What sums are over.
    pub fn over(&self) -> Over {
        self.inference.sums_over()
    }
}

/// The bytes that charts may take, as an argument says it.
pub fn memory(max_memory: Option<Whole>) -> PyResult<u64> {
    max_memory.map_or(Ok(Inference::DEFAULT_MEMORY), |bytes| bytes.of("max_memory"))
}

/// A system that is ready to use since an earlier call: a short call takes less time than to make one.
fn prepared(name: &str, direction: Direction, single_root: bool) -> PyResult<Inference> {
    static READY: Mutex<Option<HashMap<String, Inference>>> = Mutex::new(None);
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    let ready = ready.get_or_insert_with(HashMap::new);
    let inference = match ready.get(name) {
        Some(inference) => inference.clone(),
        None => {
            let inference = Inference::new(TreeClass::named(name).map_err(unknown_name)?);
            if ready.len() < KEPT {
                ready.insert(name.to_owned(), inference.clone());
            }
            inference
        }
    };
    Ok(inference.direction(direction).single_root(single_root))
}

/// The system of that name.
pub fn system(name: &str) -> PyResult<System> {
    System::named(name).map_err(unknown_name)
}

fn unknown_name(error: NameError) -> PyErr {
    let hint = "`tanglewood.systems()` lists the names, and `any` stands for all trees";
    PyValueError::new_err(match &error {
        NameError::Unknown { name, nearest } if nearest.is_empty() => {
            format!("no system is called `{name}`; {hint}")
        }
        _ => error.to_string(),
    })
}

/// The direction of that name.
pub fn direction(name: &str) -> PyResult<Direction> {
    name.parse::<Direction>().map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Why there is no answer, as Python says it.
pub fn exception(error: &InferenceError, message: String) -> PyErr {
    match error {
        InferenceError::OutOfMemory(_) => PyMemoryError::new_err(message),
        _ => PyValueError::new_err(message),
    }
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

/// What sums are over: ``"trees"``, or ``"derivations"`` where a tree counts as often as there are runs of
/// the system that build it.
///
/// >>> import tanglewood
/// >>> tanglewood.sums_over("any"), tanglewood.sums_over("mh3", "ltr"), tanglewood.sums_over("mh4+")
/// ('trees', 'trees', 'derivations')
#[pyfunction]
#[pyo3(signature = (system="mh4+", direction="either"))]
pub fn sums_over(system: &str, direction: &str) -> PyResult<&'static str> {
    let question = Question::new(system, direction, true, None)?;
    Ok(match question.over() {
        Over::Trees => "trees",
        Over::Derivations => "derivations",
    })
}
