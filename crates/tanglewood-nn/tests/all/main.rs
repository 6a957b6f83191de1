//! One test binary; its modules mirror the sources.

mod gradients;
mod sample;
