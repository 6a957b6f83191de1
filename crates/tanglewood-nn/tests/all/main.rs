//! One test binary; its modules mirror the sources.

mod batches;
mod encoding;
mod file;
mod forged;
mod gradients;
mod instructions;
mod integer;
mod layers;
mod learned;
mod matrix;
mod model;
mod packing;
mod readings;
mod real;
mod sample;
mod segmentation;
mod segmentation_multiword;
mod tagging;
mod trainer;
mod vectors;
