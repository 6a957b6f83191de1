//! Trees.

use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tanglewood::classes::{self, Class};
use tanglewood::{Direction, Oracle};

use crate::arguments::Strings;
use crate::arrays::integers;
use crate::derivation::Derivation;
use crate::drawing;
use crate::question;

/// A dependency tree: heads that are known to form one. Word w has the head heads[w - 1], 0 for the root.
///
/// Words and labels are for pictures; a notebook shows a tree as one. Trees are equal if their heads are.
///
/// >>> from tanglewood import Tree
/// >>> tree = Tree([3, 4, 0, 3], forms=["Vem", "pratar", "du", "med"])
/// >>> tree.crossing_arcs()
/// [(3, 1), (4, 2), (0, 3)]
/// >>> tree.covered_by("arc-standard"), tree.covered_by("mh4+")
/// (False, True)
/// >>> Tree([2, 1])
/// Traceback (most recent call last):
/// ValueError: the heads form a cycle: 1 → 2 → 1; expected every path of heads to end at 0
#[pyclass(frozen, module = "tanglewood")]
pub struct Tree {
    pub tree: tanglewood::Tree,
    pub forms: Option<Vec<String>>,
    pub labels: Option<Vec<String>>,
}

/// The tree with these heads, or why it is none.
pub fn from_heads(heads: &[i64]) -> Result<tanglewood::Tree, String> {
    let words = heads.len();
    let check = |(at, &head): (usize, &i64)| {
        usize::try_from(head)
            .map_err(|_| format!("word {} has head {head}; expected a number from 0 to {words}", at + 1))
    };
    let heads: Vec<usize> = heads.iter().enumerate().map(check).collect::<Result<_, _>>()?;
    tanglewood::Tree::from_heads(&heads).map_err(|error| error.to_string())
}

#[pymethods]
impl Tree {
    #[new]
    #[pyo3(signature = (heads, forms=None, labels=None))]
    fn new(heads: &Bound<'_, PyAny>, forms: Option<Strings>, labels: Option<Strings>) -> PyResult<Tree> {
        let (forms, labels) = (forms.map(|Strings(forms)| forms), labels.map(|Strings(labels)| labels));
        let tree = from_heads(&integers(heads, "heads")?).map_err(PyValueError::new_err)?;
        for (name, texts) in [("forms", &forms), ("labels", &labels)] {
            if let Some(found) = texts.as_ref().map(Vec::len).filter(|&found| found != tree.len()) {
                let message = format!("{found} {name}; expected {}, one for each word", tree.len());
                return Err(PyValueError::new_err(message));
            }
        }
        Ok(Tree { tree, forms, labels })
    }

    /// The head of each word, 0 for the root.
    #[getter]
    fn heads(&self) -> Vec<usize> {
        self.tree.heads().collect()
    }

    /// The words, if they are known.
    #[getter]
    fn forms(&self) -> Option<Vec<String>> {
        self.forms.clone()
    }

    /// The relation of each word to its head, if they are known.
    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        self.labels.clone()
    }

    /// All arcs as (head, dependent), in the order of dependents.
    fn arcs(&self) -> Vec<(usize, usize)> {
        self.tree.arcs().collect()
    }

    /// The arcs that cross another one, as (head, dependent).
    fn crossing_arcs(&self) -> Vec<(usize, usize)> {
        let crossing = classes::crossing_arcs(&self.tree);
        self.tree.arcs().filter(|&(_, word)| crossing[word - 1]).collect()
    }

    /// The pairs of arcs that cross, each arc as (head, dependent).
    fn crossing_pairs(&self) -> Vec<((usize, usize), (usize, usize))> {
        let arc = |word| (self.tree.head(word), word);
        classes::crossing_pairs(&self.tree).map(|(first, second)| (arc(first), arc(second))).collect()
    }

    /// True if and only if no two arcs cross.
    #[getter]
    fn is_projective(&self) -> bool {
        classes::is_projective(&self.tree)
    }

    /// True if and only if exactly one word hangs from the root.
    #[getter]
    fn has_single_root(&self) -> bool {
        self.tree.has_single_root()
    }

    /// The largest number of gaps in a subtree.
    #[getter]
    fn gap_degree(&self) -> usize {
        classes::gap_degree(&self.tree)
    }

    /// For each class of trees whether this one belongs to it.
    ///
    /// >>> import tanglewood
    /// >>> tanglewood.Tree([3, 4, 0, 3]).classes()["1-endpoint-crossing"]
    /// True
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let classes = PyDict::new(py);
        for class in Class::ALL {
            classes.set_item(class.name(), class.contains(&self.tree))?;
        }
        Ok(classes)
    }

    /// True if and only if the system can build the tree, reading in that direction.
    #[pyo3(signature = (system="mh4+", direction="either"))]
    fn covered_by(&self, py: Python<'_>, system: &str, direction: &str) -> PyResult<bool> {
        let oracle = Oracle::new(&question::system(system)?);
        let direction = question::direction(direction)?;
        Ok(py.detach(|| oracle.covers_in(direction, &self.tree)))
    }

    /// How the system builds the tree; ValueError if it cannot. In either direction, left to right is tried
    /// first.
    ///
    /// >>> from tanglewood import Tree
    /// >>> print(Tree([2, 0]).oracle("arc-standard"))
    /// shift shift shift s0>s1 s1>s0
    #[pyo3(signature = (system="mh4+", direction="either"))]
    pub fn oracle(&self, py: Python<'_>, system: &str, direction: &str) -> PyResult<Derivation> {
        let oracle = Oracle::new(&question::system(system)?);
        let asked = question::direction(direction)?;
        let mut failure = None;
        for (direction, reads) in
            [(Direction::Ltr, asked.reads_forward()), (Direction::Rtl, asked.reads_backward())]
        {
            if !reads {
                continue;
            }
            let mirrored = direction == Direction::Rtl;
            let tree = if mirrored { self.tree.mirrored() } else { self.tree.clone() };
            match py.detach(|| oracle.derivation(&tree)) {
                Ok(derivation) => {
                    return Ok(Derivation { derivation, direction, score: None, forms: self.forms.clone() });
                }
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        let failure = failure.map_or_else(String::new, |error| error.to_string());
        Err(PyValueError::new_err(format!("{system}, {direction}: {failure}")))
    }

    /// The tree of the sentence read from right to left.
    fn mirrored(&self) -> Tree {
        let reversed = |texts: &Option<Vec<String>>| {
            texts.as_ref().map(|texts| texts.iter().rev().cloned().collect::<Vec<String>>())
        };
        Tree { tree: self.tree.mirrored(), forms: reversed(&self.forms), labels: reversed(&self.labels) }
    }

    /// A picture as SVG: arcs above the words, those that cross others in a second colour.
    pub fn svg(&self) -> PyResult<String> {
        drawing::tree(&self.tree, self.forms.as_deref(), self.labels.as_deref())
            .map_err(PyValueError::new_err)
    }

    /// For notebooks; none if the sentence is too long for a picture.
    fn _repr_svg_(&self) -> Option<String> {
        self.svg().ok()
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.tree).replacen("Tree[", "Tree([", 1).replacen(']', "])", 1)
    }

    fn __len__(&self) -> usize {
        self.tree.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Tree>().is_ok_and(|other| other.get().tree == self.tree)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.tree.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, Parts) {
        let tree = slf.get();
        (slf.get_type().into_any(), (tree.heads(), tree.forms(), tree.labels()))
    }
}

/// What a tree is made of.
type Parts = (Vec<usize>, Option<Vec<String>>, Option<Vec<String>>);
