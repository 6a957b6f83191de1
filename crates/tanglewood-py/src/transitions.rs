//! Scores of transitions beyond those of arcs, as tables.

use std::collections::HashMap;

use numpy::ndarray::ArrayD;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::inference::Inference;
use tanglewood::scores::{ArcScores, HeadKind, TransitionScores, View};
use tanglewood::system::{Address, Slot};
use tanglewood::{Derivation as Run, Direction, System, Transition};

use crate::arguments::Whole;
use crate::arrays::Floats;
use crate::derivation::Derivation;
use crate::matrices::Matrices;
use crate::question;

/// Arc scores, and tables that are added to them.
struct Tables {
    arcs: ArcScores,
    shift: Option<ArrayD<f64>>,
    /// By head slot and dependent slot, as they were named.
    reduces: HashMap<(Slot, usize), ArrayD<f64>>,
    /// For the removal of s2, whatever the head's slot is, in systems where exact inference needs it so.
    deepest: Option<ArrayD<f64>>,
    /// Whether it does.
    shares_deepest: bool,
    /// Whether no table tells one head in the buffer from another.
    heads_ahead_are_equal: bool,
}

/// The entry for a head, a dependent and a front; tables with fewer axes leave out the last ones.
fn entry(table: &ArrayD<f64>, head: usize, dependent: usize, front: usize) -> f64 {
    let found = match table.ndim() {
        0 => table.first(),
        2 => table.get([head, dependent].as_slice()),
        _ => table.get([head, dependent, front].as_slice()),
    };
    found.copied().unwrap_or(f64::NEG_INFINITY)
}

impl Tables {
    fn of_reduce(&self, address: Address, slot: usize, head: usize, dependent: usize, front: usize) -> f64 {
        self.arcs.get(head, dependent) + self.beside_arc(address, slot, head, dependent, front)
    }

    /// What the tables add to the score of the arc.
    fn beside_arc(&self, address: Address, slot: usize, head: usize, dependent: usize, front: usize) -> f64 {
        if self.shares_deepest && slot == 2 {
            return self.deepest.as_ref().map_or(0.0, |table| entry(table, head, dependent, front));
        }
        let named = match address {
            Address::Stack(place) => u8::try_from(place).ok().map(Slot::Stack),
            Address::Buffer(place) => u8::try_from(place).ok().map(Slot::Buffer),
        };
        let ahead = matches!(address, Address::Buffer(_)).then_some(Slot::Ahead);
        let mut slots = named.into_iter().chain(ahead);
        let table = slots.find_map(|head| self.reduces.get(&(head, slot)));
        table.map_or(0.0, |table| entry(table, head, dependent, front))
    }

    /// The sum over a run.
    fn of_run(&self, run: &Run) -> f64 {
        let mut before = tanglewood::Configuration::start(run.words());
        let mut sum = 0.0;
        for step in run.steps().unwrap_or_default() {
            sum += match (step.transition, step.arc) {
                (Transition::Reduce { head: address, dependent: slot }, Some((head, dependent))) => {
                    self.of_reduce(address, slot, head, dependent, before.front())
                }
                _ => self.shift(before.stack().next_back(), before.front()),
            };
            before = step.after;
        }
        sum
    }
}

impl TransitionScores for Tables {
    fn words(&self) -> usize {
        self.arcs.len()
    }

    fn shift(&self, top: Option<usize>, front: usize) -> f64 {
        match (&self.shift, top) {
            (Some(table), Some(top)) => entry(table, top, front, 0),
            _ => 0.0,
        }
    }

    fn reduce(&self, view: View<'_>, head: Address, dependent: usize) -> f64 {
        self.of_reduce(head, dependent, view.node(head), view.stack[dependent], view.front)
    }

    fn arc_part(&self) -> Option<&ArcScores> {
        self.heads_ahead_are_equal.then_some(&self.arcs)
    }

    fn context(&self, view: View<'_>, head: HeadKind, dependent: usize) -> f64 {
        let address = match head {
            HeadKind::Stack(place) => Address::Stack(place),
            // Any of them has the same table, which is a number.
            HeadKind::Ahead => Address::Buffer(0),
        };
        self.beside_arc(address, dependent, view.node(address), view.stack[dependent], view.front)
    }

    fn deepest(&self, head: usize, dependent: usize) -> f64 {
        self.arcs.get(head, dependent)
            + self.deepest.as_ref().map_or(0.0, |table| entry(table, head, dependent, 0))
    }

    fn deepest_context(&self, _: &[usize], _: usize) -> f64 {
        0.0
    }
}

/// Reads one table, and checks its shape and its numbers.
fn table(name: &str, given: &Bound<'_, PyAny>, nodes: usize, most_axes: usize) -> PyResult<ArrayD<f64>> {
    let floats = Floats::new(given, name)?;
    let table: ArrayD<f64> = match &floats {
        Floats::Single(array) => array.as_array().mapv(f64::from),
        Floats::Double(array) => array.as_array().to_owned(),
    };
    let shapes = [&[][..], &[nodes, nodes], &[nodes, nodes, nodes + 1]];
    let fits = |shape: &&[usize]| shape.len() <= most_axes && *shape == table.shape();
    if !shapes.iter().any(fits) {
        let third = if most_axes == 3 {
            format!(", or [{nodes}, {nodes}, {}] with the front of the buffer last", nodes + 1)
        } else {
            String::new()
        };
        let message =
            format!("{name} has shape {:?}; expected a number, or [{nodes}, {nodes}]{third}", table.shape());
        return Err(PyValueError::new_err(message));
    }
    match table.iter().find(|score| {
        score.is_nan() || **score > ArcScores::LARGEST || (score.is_finite() && **score < -ArcScores::LARGEST)
    }) {
        Some(score) => Err(PyValueError::new_err(format!(
            "{name} has a score of {score}; expected finite numbers, or -inf to forbid"
        ))),
        None => Ok(table),
    }
}

fn tables(arcs: ArcScores, given: Option<&Bound<'_, PyDict>>, system: &System) -> PyResult<Tables> {
    let inventory = system.inventory();
    let shares_deepest =
        system.frame().is_none() && inventory.depth() == 2 && inventory.deepest_dependent() == 2;
    let nodes = arcs.len() + 1;
    let mut tables = Tables {
        arcs,
        shift: None,
        reduces: HashMap::new(),
        deepest: None,
        shares_deepest,
        heads_ahead_are_equal: false,
    };
    for (name, scores) in given.into_iter().flatten() {
        let name: String =
            name.extract().map_err(|_| PyValueError::new_err("a name in transitions is no text"))?;
        if name == "shift" {
            tables.shift = Some(table(&name, &scores, nodes, 2)?);
            continue;
        }
        if name == "s2" && shares_deepest {
            tables.deepest = Some(table(&name, &scores, nodes, 2)?);
            continue;
        }
        let reduce: tanglewood::system::Reduce = name.parse().map_err(|_| {
            PyValueError::new_err(format!(
                "`{name}` is not a transition; expected `shift` or head>dependent such as s0>s1"
            ))
        })?;
        let dependent = usize::from(reduce.dependent);
        let permitted = match reduce.head {
            Slot::Stack(place) => inventory.permits(Address::Stack(place.into()), dependent),
            Slot::Buffer(place) => inventory.permits(Address::Buffer(place.into()), dependent),
            Slot::Ahead => inventory.contains(reduce),
        };
        if !permitted {
            return Err(PyValueError::new_err(format!(
                "`{system}` has no transition `{name}`; it has {inventory}"
            )));
        }
        if shares_deepest && dependent == 2 {
            let message = format!(
                "`{name}` removes the deepest node that `{system}` sees; exact inference then needs one table for all heads: name it `s2`"
            );
            return Err(PyValueError::new_err(message));
        }
        tables.reduces.insert((reduce.head, dependent), table(&name, &scores, nodes, 3)?);
    }
    let lookahead = inventory.permits(Address::Buffer(1), 0);
    let equal = |((head, _), table): (&(Slot, usize), &ArrayD<f64>)| match head {
        Slot::Stack(_) => true,
        Slot::Buffer(_) => table.ndim() == 0 && !lookahead,
        Slot::Ahead => table.ndim() == 0,
    };
    tables.heads_ahead_are_equal = tables.deepest.is_none() && tables.reduces.iter().all(equal);
    Ok(tables)
}

/// The best run of a system from left to right, where transitions have scores beyond those of their arcs.
///
/// ``transitions`` has a table for some or all transitions, by name; what it says is added to the score of
/// the arc:
///
/// * for a reduce such as ``"s1>s0"``: a number, an array ``[head, dependent]``, or an array
///   ``[head, dependent, front]``, where front is the first node of the buffer, n + 1 when it is empty.
///   ``"ahead>s0"`` is for heads anywhere in the buffer, ``"b0>s0"`` for the first of them;
/// * for ``"shift"``: a number, or an array ``[top, front]``. The first shift, of the root, scores 0;
/// * systems that remove s2 without a bound on frames (``all``, ``attardi``) have one table ``"s2"`` for it,
///   a number or ``[head, dependent]``, whatever the slot of the head is: that is what makes their exact
///   inference possible in the time they promise.
///
/// -inf forbids. A system that reads from right to left is given the arrays of the mirrored sentence.
///
/// >>> import numpy, tanglewood
/// >>> scores = numpy.zeros((4, 4))
/// >>> best = tanglewood.best_derivation(scores, {"s1>s0": 1.0, "shift": -0.5}, system="arc-standard")
/// >>> print(best, best.score)
/// shift shift shift shift s1>s0 s1>s0 s1>s0 1.5
#[pyfunction]
#[pyo3(signature = (scores, transitions=None, system="mh4+", single_root=true, *, forbidden=None, required=None, max_memory=None))]
#[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
pub fn best_derivation<'py>(
    py: Python<'py>,
    scores: &Bound<'py, PyAny>,
    transitions: Option<&Bound<'py, PyDict>>,
    system: &str,
    single_root: bool,
    forbidden: Option<&Bound<'py, PyAny>>,
    required: Option<&Bound<'py, PyAny>>,
    max_memory: Option<Whole>,
) -> PyResult<Derivation> {
    let matrices = Matrices::new(scores, None, forbidden, required)?;
    if !matrices.is_one() {
        return Err(PyValueError::new_err("scores are a batch; expected one matrix, [n + 1, n + 1]"));
    }
    let system = question::system(system)?;
    let arcs = matrices.view()?.scores(0).map_err(PyValueError::new_err)?;
    let tables = tables(arcs, transitions, &system)?;
    let inference = Inference::new(&system).single_root(single_root).memory(question::memory(max_memory)?);
    let best = py
        .detach(|| inference.best_run(&tables))
        .map_err(|error| question::exception(&error, error.to_string()))?;
    let derivation = best.derivation.ok_or_else(|| PyValueError::new_err("no run"))?;
    let score = Some(tables.of_run(&derivation));
    Ok(Derivation { derivation, direction: Direction::Ltr, score, forms: None })
}
