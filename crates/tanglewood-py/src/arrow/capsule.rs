//! Tables in and out by the Arrow PyCapsule interface, so that no library of tables has to be there.
//!
//! This is the only unsafe code of the package. A capsule carries a pointer, and its name says to what: that
//! is checked, and that the pointer points to what the name says is the interface's promise, on which
//! everybody who exchanges tables this way relies. What is taken out of a capsule is moved, and marked as
//! gone in the capsule, so it is released once.

use std::ffi::{CStr, c_void};
use std::ptr::NonNull;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Schema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// A table as it came.
pub enum Table {
    Batch(RecordBatch),
    Stream(Box<dyn RecordBatchReader + Send>),
}

/// Reads whatever has one of the methods of the interface. A record batch has both of them in some libraries;
/// it is taken as one batch.
pub fn table(data: &Bound<'_, PyAny>) -> PyResult<Table> {
    if data.hasattr("__arrow_c_array__")? {
        return Ok(Table::Batch(batch(data)?));
    }
    if data.hasattr("__arrow_c_stream__")? {
        let capsule = data.call_method0("__arrow_c_stream__")?;
        let pointer = pointer(&capsule, STREAM)?;
        // SAFETY: the name says that the capsule has such a stream; it is moved out, and gone from the
        // capsule.
        let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr().cast()) };
        return Ok(Table::Stream(Box::new(reader.map_err(wrong)?)));
    }
    let message = format!(
        "data is of type {}; expected a table or a record batch with __arrow_c_stream__ or __arrow_c_array__, \
         as those of pyarrow, polars, pandas, DuckDB and Daft are",
        data.get_type().name()?
    );
    Err(PyTypeError::new_err(message))
}

fn batch(data: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let pair = data.call_method0("__arrow_c_array__")?;
    let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract()?;
    let (schema, array) = (pointer(&schema, SCHEMA)?, pointer(&array, ARRAY)?);
    // SAFETY: the names say that the capsules have such a schema and an array of it, which is moved out, and
    // gone from the capsule; the schema stays there, and is read before the capsule is dropped.
    let data = unsafe {
        let array = FFI_ArrowArray::from_raw(array.as_ptr().cast());
        let schema: &FFI_ArrowSchema = schema.cast().as_ref();
        from_ffi(array, schema).map(|data| (data, Schema::try_from(schema)))
    };
    let (data, schema) = data.map_err(wrong)?;
    if !matches!(data.data_type(), DataType::Struct(_)) {
        let message =
            format!("data is an array of type {}; expected a record batch, or a table", data.data_type());
        return Err(PyTypeError::new_err(message));
    }
    let columns = StructArray::from(data);
    if columns.null_count() > 0 {
        return Err(PyValueError::new_err(
            "data is an array of structs, some of them null; expected a table",
        ));
    }
    // Only a schema has the metadata of a table.
    let batch = RecordBatch::from(columns);
    batch.with_schema(schema.map_err(wrong)?.into()).map_err(wrong)
}

fn pointer(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<NonNull<c_void>> {
    capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))
}

/// A batch as the pair of capsules that `__arrow_c_array__` returns.
pub fn array<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    let (array, _) = to_ffi(&StructArray::from(batch.clone()).to_data()).map_err(wrong)?;
    let array = PyCapsule::new_with_value(py, array, ARRAY)?;
    PyTuple::new(py, [schema(py, &batch.schema())?, array])
}

/// What `__arrow_c_schema__` returns.
pub fn schema<'py>(py: Python<'py>, schema: &Schema) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(schema).map_err(wrong)?, SCHEMA)
}

/// What `__arrow_c_stream__` returns.
pub fn stream(py: Python<'_>, reader: Box<dyn RecordBatchReader + Send>) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(reader), STREAM)
}

fn wrong(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
