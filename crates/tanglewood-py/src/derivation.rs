//! Runs of a system.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tanglewood::Direction;

use crate::arguments::Strings;
use crate::drawing;
use crate::question;
use crate::tree::Tree;

/// A run of a transition system: a sequence of transitions that builds a tree.
///
/// Printed, it is the names of its transitions; a notebook shows the tree and the steps.
///
/// >>> import tanglewood
/// >>> derivation = tanglewood.Tree([2, 0, 2]).oracle("arc-hybrid")
/// >>> derivation.transitions
/// ['shift', 'shift', 'b0>s0', 'shift', 'shift', 's1>s0', 's1>s0']
/// >>> derivation.tree
/// Tree([2, 0, 2])
/// >>> derivation.steps()[2]
/// {'transition': 'b0>s0', 'arc': (2, 1), 'stack': [0], 'buffer': [2, 3]}
#[pyclass(frozen, module = "tanglewood")]
pub struct Derivation {
    pub derivation: tanglewood::Derivation,
    pub direction: Direction,
    pub score: Option<f64>,
    pub forms: Option<Vec<String>>,
}

/// A step, in nodes of the sentence.
pub struct Step {
    pub transition: String,
    pub arc: Option<(usize, usize)>,
    pub stack: Vec<usize>,
    pub buffer: Vec<usize>,
}

impl Derivation {
    /// Where a node is in the sentence: the other way round if it was read from right to left.
    fn place(&self, node: usize) -> usize {
        self.direction.place(self.derivation.words(), node)
    }

    fn all_steps(&self) -> PyResult<Vec<Step>> {
        let steps = self.derivation.steps().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let step = |step: tanglewood::transition::Step| Step {
            transition: step.transition.to_string(),
            arc: step.arc.map(|(head, dependent)| (self.place(head), self.place(dependent))),
            stack: step.after.stack().map(|node| self.place(node)).collect(),
            buffer: step.after.buffer().map(|node| self.place(node)).collect(),
        };
        Ok(steps.into_iter().map(step).collect())
    }
}

#[pymethods]
impl Derivation {
    /// A run by the names of its transitions, as it is printed.
    #[new]
    #[pyo3(signature = (transitions, direction="ltr", score=None, forms=None))]
    fn new(
        transitions: &str,
        direction: &str,
        score: Option<f64>,
        forms: Option<Strings>,
    ) -> PyResult<Derivation> {
        let derivation: Result<tanglewood::Derivation, _> = transitions.parse();
        let derivation = derivation.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let direction = match question::direction(direction)? {
            Direction::Either => {
                return Err(PyValueError::new_err("direction is `either`; expected ltr or rtl"));
            }
            direction => direction,
        };
        Ok(Derivation { derivation, direction, score, forms: forms.map(|Strings(forms)| forms) })
    }

    /// The names of the transitions.
    #[getter]
    fn transitions(&self) -> Vec<String> {
        self.derivation.transitions().iter().map(ToString::to_string).collect()
    }

    /// The tree it builds.
    #[getter]
    fn tree(&self) -> PyResult<Tree> {
        let tree = self.derivation.tree().map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Tree { tree: self.direction.read(tree), forms: self.forms.clone(), labels: None })
    }

    /// In which direction the sentence is read: ``"ltr"`` or ``"rtl"``.
    #[getter]
    fn direction(&self) -> String {
        self.direction.to_string()
    }

    /// The sum of the scores of its transitions, if it was found by scores.
    #[getter]
    fn score(&self) -> Option<f64> {
        self.score
    }

    /// Every step with its arc, if it adds one, and stack (top last) and buffer after it.
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let row = |step: Step| {
            let row = PyDict::new(py);
            row.set_item("transition", step.transition)?;
            row.set_item("arc", step.arc.map(|arc| PyTuple::new(py, [arc.0, arc.1])).transpose()?)?;
            row.set_item("stack", step.stack)?;
            row.set_item("buffer", step.buffer)?;
            Ok(row)
        };
        self.all_steps()?.into_iter().map(row).collect()
    }

    /// A picture as SVG: stack, buffer and arcs at each step.
    fn svg(&self) -> PyResult<String> {
        drawing::derivation(&self.derivation, self.forms.as_deref(), self.direction)
            .map_err(PyValueError::new_err)
    }

    /// For notebooks; none if the sentence is too long for a picture.
    fn _repr_svg_(&self) -> Option<String> {
        self.svg().ok()
    }

    fn __str__(&self) -> String {
        self.derivation.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Derivation of {} words, {}: {}>", self.derivation.words(), self.direction, self.derivation)
    }

    fn __len__(&self) -> usize {
        self.derivation.transitions().len()
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, Parts) {
        let run = slf.get();
        (slf.get_type().into_any(), (run.__str__(), run.direction(), run.score, run.forms.clone()))
    }
}

/// What a derivation is made of.
type Parts = (String, String, Option<f64>, Option<Vec<String>>);
