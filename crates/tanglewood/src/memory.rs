//! Memory that may be refused: what is large is asked for, and a refusal is an error like any other.

/// The system refused the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system has not enough memory left; choose a cheaper system or shorter sentences")]
pub struct OutOfMemory;

/// A table of `size` equal values.
///
/// # Errors
/// If the system refuses the memory.
pub(crate) fn table<V: Clone>(size: usize, value: V) -> Result<Vec<V>, OutOfMemory> {
    let mut table = Vec::new();
    table.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
    table.resize(size, value);
    Ok(table)
}
