//! The library's tests: each module mirrors a module of the library.

#![allow(missing_docs)]

mod brute_force;
mod chart;
mod chart_contexts;
mod chu_liu_edmonds;
mod classes;
mod conllu;
mod conllu_blocks;
mod conllu_problems;
mod conllu_problems_table;
mod coverage;
mod deduction;
mod draw;
mod draw_arrangements;
mod draw_frontier;
mod evaluation;
mod evaluation_calibration;
mod evaluation_definition;
mod evaluation_resampling;
mod huge_scores;
mod inference;
mod inference_both_ways;
mod inference_refusals;
mod inference_runs;
mod inference_sums;
mod inference_windows;
mod mixed_scores;
mod multi_headed;
mod oracle;
mod real_treebanks;
mod sample;
mod scores;
mod search;
mod semiring;
mod shared_task;
mod spanning;
mod spanning_mixtures;
mod spanning_sums;
mod support;
mod system;
mod text;
mod transition;
mod tree;
