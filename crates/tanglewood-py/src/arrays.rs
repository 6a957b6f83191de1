//! NumPy arrays of scores, read where they are.

use numpy::ndarray::{ArrayView, ArrayViewD, Axis, Ix3};
use numpy::{Element, PyArrayDescrMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods, dtype};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An array of float32 or float64, whatever its strides.
pub enum Floats<'py> {
    Single(PyReadonlyArrayDyn<'py, f32>),
    Double(PyReadonlyArrayDyn<'py, f64>),
}

/// What threads see of it.
#[derive(Clone, Copy)]
pub enum FloatsView<'a> {
    Single(ArrayView<'a, f32, Ix3>),
    Double(ArrayView<'a, f64, Ix3>),
}

impl<'py> Floats<'py> {
    /// Anything that NumPy takes for an array of real numbers. Arrays of float32 and float64 are borrowed,
    /// others converted to float64.
    pub fn new(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Floats<'py>> {
        if let Some(floats) = Floats::borrowed(object) {
            return floats;
        }
        let py = object.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let array = numpy.call_method1(intern!(py, "asarray"), (object,)).map_err(|error| {
            PyValueError::new_err(format!("{name}: {error}; expected an array of numbers"))
        })?;
        let kind: String = array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
        if !matches!(&*kind, "b" | "i" | "u" | "f") {
            let found = array.getattr(intern!(py, "dtype"))?;
            let message = format!(
                "{name} has dtype {found}; expected float32, float64 or something that converts to it"
            );
            return Err(PyValueError::new_err(message));
        }
        // A copy in any case: what comes here is of another type, in the other byte order or not aligned.
        let keep = kind == "f"
            && array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "itemsize"))?.extract::<usize>()?
                == 4;
        let options = PyDict::new(py);
        options.set_item(intern!(py, "dtype"), if keep { dtype::<f32>(py) } else { dtype::<f64>(py) })?;
        let converted = numpy.call_method(intern!(py, "array"), (array,), Some(&options))?;
        Floats::borrowed(&converted).unwrap_or_else(|| {
            Err(PyValueError::new_err(format!("{name} cannot be read as an array of numbers")))
        })
    }

    /// An aligned array of the right type, as it is.
    fn borrowed(object: &Bound<'py, PyAny>) -> Option<PyResult<Floats<'py>>> {
        let array = object.cast::<PyUntypedArray>().ok()?;
        if !array.is_aligned() {
            return None;
        }
        let py = object.py();
        let found = array.dtype();
        if found.is_equiv_to(&dtype::<f32>(py)) {
            Some(read(object).map(Floats::Single))
        } else if found.is_equiv_to(&dtype::<f64>(py)) {
            Some(read(object).map(Floats::Double))
        } else {
            None
        }
    }

    /// Its shape.
    pub fn shape(&self) -> &[usize] {
        match self {
            Floats::Single(array) => array.shape(),
            Floats::Double(array) => array.shape(),
        }
    }

    /// As a batch: of one, if it has two axes; none if it has neither two nor three.
    pub fn view(&self) -> Option<FloatsView<'_>> {
        Some(match self {
            Floats::Single(array) => FloatsView::Single(batch(array.as_array())?),
            Floats::Double(array) => FloatsView::Double(batch(array.as_array())?),
        })
    }
}

fn read<'py, T: Element>(object: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    object.extract()
}

/// With one axis in front if there are only two.
pub fn batch<T>(view: ArrayViewD<'_, T>) -> Option<ArrayView<'_, T, Ix3>> {
    let view = if view.ndim() == 2 { view.insert_axis(Axis(0)) } else { view };
    view.into_dimensionality().ok()
}

/// A list or an array of integers, of any type of integer.
pub fn integers(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<i64>> {
    if let Ok(list) = object.extract::<Vec<i64>>() {
        return Ok(list);
    }
    let as_list = object.call_method0(intern!(object.py(), "tolist")).and_then(|list| list.extract());
    as_list.map_err(|_| {
        let found =
            object.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
        PyValueError::new_err(format!("{name} is a {found}; expected a list or an array of integers"))
    })
}
