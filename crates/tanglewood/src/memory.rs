//! Memory that may be refused: what is large is asked for, and a refusal is an error like any other.

/// The system refused the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system has not enough memory left; choose a cheaper system or shorter sentences")]
pub struct OutOfMemory;

/// Tables of fewer numbers than this, together, are allocated without asking.
const SMALL: usize = 1 << 20;

/// Makes sure that there is room for `tables` tables with a number for each arc. Code that needs no more than
/// that then allocates them one by one; a refusal in the middle of it would end the process.
pub(crate) fn room_for_arcs(words: usize, tables: usize) -> Result<(), OutOfMemory> {
    let arcs = words.saturating_add(1).checked_pow(2).ok_or(OutOfMemory)?;
    let numbers = arcs.checked_mul(tables).ok_or(OutOfMemory)?;
    let mut room: Vec<f64> = Vec::new();
    if numbers >= SMALL {
        room.try_reserve_exact(numbers).map_err(|_| OutOfMemory)?;
    }
    // Compilers leave out allocations that nobody looks at.
    std::hint::black_box(&room);
    Ok(())
}

/// A table of `size` equal values.
pub(crate) fn table<V: Clone>(size: usize, value: V) -> Result<Vec<V>, OutOfMemory> {
    let mut table = room(size)?;
    table.resize(size, value);
    Ok(table)
}

/// An empty table with room for `size` values.
pub(crate) fn room<V>(size: usize) -> Result<Vec<V>, OutOfMemory> {
    let mut table = Vec::new();
    table.try_reserve_exact(size).map_err(|_| OutOfMemory)?;
    Ok(table)
}
