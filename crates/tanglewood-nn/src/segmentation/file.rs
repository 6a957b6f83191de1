//! A segmenter as part of a file.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::sync::{Arc, OnceLock};

use safetensors::SafeTensors;
use serde::{Deserialize, Serialize};

use super::known::{HashFilter, Known};
use super::multiword::Multiwords;
use super::{Networks, Segmenter, SegmenterOptions, Thresholds};
use crate::container::{self, FileError, Form, Kind, Numbers};
use crate::file::About;
use crate::parameters::Parameters;
use crate::quantise::Storage;
use crate::store::Store;

/// The name of the sets of known features and words.
const KNOWN: &str = "segmenter.known";

/// All of a segmenter but its numbers, for the header of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SegmenterSection {
    options: SegmenterOptions,
    multiwords: Multiwords,
    spaces_in_tokens: bool,
    #[serde(flatten)]
    thresholds: Thresholds,
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
    /// The segmenter's part of a file header.
    pub fn section(&self) -> SegmenterSection {
        SegmenterSection {
            options: self.options.clone(),
            multiwords: self.multiwords.clone(),
            spaces_in_tokens: self.spaces_in_tokens,
            thresholds: self.thresholds,
        }
    }

    /// The sets of known features and words as numbers for a file.
    pub(crate) fn known_numbers(&self) -> Vec<f32> {
        self.known.features.numbers().chain(self.known.words.numbers()).collect()
    }

    /// The numbers in single precision.
    pub(crate) fn expanded(&self) -> Cow<'_, Parameters<f32>> {
        self.numbers.parameters(&self.networks.layout)
    }

    /// The numbers, by names that begin with `segmenter.`; they are given, and those of what is known.
    pub(crate) fn numbers<'n>(
        &'n self,
        parameters: &'n Parameters<f32>,
        known: &'n [f32],
    ) -> Vec<Numbers<'n>> {
        let mut numbers = self.networks.layout.numbers(parameters);
        numbers.push(Numbers::exact(KNOWN, [2, known.len() / 2], known));
        numbers
    }

    /// A segmenter from what a file has of it.
    pub(crate) fn from_section(
        section: SegmenterSection,
        tensors: &SafeTensors<'_>,
        numbers: &Arc<Vec<u8>>,
    ) -> Result<Segmenter, FileError> {
        let SegmenterSection { options, multiwords, spaces_in_tokens, thresholds } = section;
        options.check().map_err(FileError::Senseless)?;
        multiwords.check().map_err(FileError::Senseless)?;
        if container::storage(tensors, KNOWN, [2, HashFilter::GROUPS])? != Storage::Exact {
            return Err(FileError::Senseless(format!("{KNOWN} is rounded")));
        }
        let (known, _) = container::parts_of(tensors, KNOWN, Storage::Exact)?;
        let (features, words) = known.as_chunks::<4>().0.split_at(HashFilter::GROUPS);
        let filter = |numbers: &[[u8; 4]]| {
            HashFilter::of_numbers(numbers.iter().map(|number| f32::from_le_bytes(*number)))
        };
        let known = Arc::new(Known { features: filter(features), words: filter(words) });
        let networks = Networks::new(&options, &known);
        let numbers = Store::load(&networks.layout, tensors, numbers)?;
        let scorers = OnceLock::new();
        Ok(Segmenter { options, known, networks, numbers, scorers, multiwords, spaces_in_tokens, thresholds })
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.networks.layout.len()
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
        let (parameters, known) = (self.expanded(), self.known_numbers());
        container::write(out, Kind::Segmenter, &header, &self.numbers(&parameters, &known), Form::Plain)
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
        let (header, contents): (AloneHeader, _) = container::read(input, Kind::Segmenter)?;
        let tensors = contents.tensors()?;
        Ok((Segmenter::from_section(header.section, &tensors, contents.bytes())?, header.about))
    }
}
