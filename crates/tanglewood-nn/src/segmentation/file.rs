//! A segmenter as part of a file.

use std::io::{Read, Write};
use std::sync::Arc;

use safetensors::SafeTensors;
use serde::{Deserialize, Serialize};

use super::known::{HashFilter, Known};
use super::multiword::Multiwords;
use super::{Networks, Segmenter, SegmenterOptions};
use crate::container::{self, FileError, Form, Kind, Numbers};
use crate::file::About;

/// The name of the sets of known features and words.
const KNOWN: &str = "segmenter.known";

/// All of a segmenter but its numbers, for the header of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SegmenterSection {
    options: SegmenterOptions,
    multiwords: Multiwords,
    spaces_in_tokens: bool,
    threshold: f32,
}

/// The header of a file with nothing else.
#[derive(Serialize, Deserialize)]
struct AloneHeader {
    #[serde(default)]
    about: About,
    #[serde(flatten)]
    section: SegmenterSection,
}

impl Segmenter {
    /// What goes into the header of a file.
    pub fn section(&self) -> SegmenterSection {
        SegmenterSection {
            options: self.options.clone(),
            multiwords: self.multiwords.clone(),
            spaces_in_tokens: self.spaces_in_tokens,
            threshold: self.threshold,
        }
    }

    /// What is known, as numbers.
    pub(crate) fn known_numbers(&self) -> Vec<f32> {
        self.known.features.numbers().chain(self.known.words.numbers()).collect()
    }

    /// The numbers, by names that begin with `segmenter.`; those of what is known are given.
    pub(crate) fn numbers<'n>(&'n self, known: &'n [f32]) -> Vec<Numbers<'n>> {
        let mut numbers = self.networks.layout.numbers(&self.parameters);
        numbers.push(Numbers::exact(KNOWN, [2, known.len() / 2], known));
        numbers
    }

    /// A segmenter from what a file has of it.
    pub(crate) fn from_section(
        section: SegmenterSection,
        tensors: &SafeTensors<'_>,
    ) -> Result<Segmenter, FileError> {
        let SegmenterSection { options, multiwords, spaces_in_tokens, threshold } = section;
        options.check().map_err(FileError::Senseless)?;
        let mut known = vec![0.0; 2 * HashFilter::GROUPS];
        container::load(tensors, KNOWN, [2, HashFilter::GROUPS], &mut known)?;
        let (features, words) = known.split_at(HashFilter::GROUPS);
        let known =
            Known { features: HashFilter::of_numbers(features), words: HashFilter::of_numbers(words) };
        let known = Arc::new(known);
        let networks = Networks::new(&options, &known);
        let parameters = networks.layout.load(tensors)?;
        Ok(Segmenter { options, known, networks, parameters, multiwords, spaces_in_tokens, threshold })
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.parameters.values.len()
    }

    /// Writes the segmenter as a file of its own.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: impl Write) -> Result<(), FileError> {
        self.write_with_about(&About::default(), out)
    }

    /// Writes the segmenter as a file of its own that says where it comes from.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_with_about(&self, about: &About, out: impl Write) -> Result<(), FileError> {
        let header = AloneHeader { about: about.clone(), section: self.section() };
        let numbers = self.known_numbers();
        container::write(out, Kind::Segmenter, &header, &self.numbers(&numbers), Form::Plain)
    }

    /// Reads a segmenter from a file of its own.
    ///
    /// # Errors
    /// If the source fails, or what it gives is not a segmenter, a damaged one, or one from the future.
    pub fn read(input: impl Read) -> Result<Segmenter, FileError> {
        Segmenter::read_with_about(input).map(|(segmenter, _)| segmenter)
    }

    /// Reads a segmenter from a file of its own, and where it comes from.
    ///
    /// # Errors
    /// As [`Segmenter::read`].
    pub fn read_with_about(input: impl Read) -> Result<(Segmenter, About), FileError> {
        let (header, numbers): (AloneHeader, _) = container::read(input, Kind::Segmenter)?;
        Ok((Segmenter::from_section(header.section, &container::tensors(&numbers)?)?, header.about))
    }
}
