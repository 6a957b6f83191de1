//! A model as a file that describes itself.
//!
//! There are two kinds: a model that parses, with or without a segmenter, and a segmenter alone. [`Trained`]
//! is either.

use std::borrow::Cow;
use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::container::{self, Contents, FileError, Form, Kind};
use crate::lemmas::Lemmas;
use crate::model::Model;
use crate::network::Network;
use crate::options::Options;
use crate::segmentation::{SegmentationScore, Segmenter, SegmenterSection};
use crate::steps::Step;
use crate::store::Store;
use crate::training::{Accuracy, Settings};
use crate::vocabulary::Vocabulary;

/// Where a model comes from. All of it is for people; a model works without.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The program that wrote it.
    pub program: String,
    /// The name of the training data.
    pub training_data: String,
    /// The name of the silver data.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub silver_data: String,
    /// The name of the development data.
    pub development_data: String,
    /// Settings of the training, if they are known.
    pub settings: Option<Settings>,
    /// The training objective, in words.
    pub objective: String,
    /// How well it did on the development data.
    pub accuracy: Option<Accuracy>,
    /// Number of training epochs.
    pub epochs: u64,
    /// The licence of the numbers, if there is anything to say about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub licence: String,
    /// What it was made from besides the program: treebanks, vectors, with their licences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<String>,
    /// How well it segments the text of the development data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub segmentation: Option<SegmentationScore>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    about: About,
    options: Options,
    vocabulary: Vocabulary,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    segmenter: Option<SegmenterSection>,
}

/// What a file holds: a model, or a segmenter alone.
#[derive(Clone, Debug)]
pub enum Trained {
    /// A model that parses, and perhaps does more.
    Model(Box<Model>),
    /// Nothing but a segmenter.
    Segmenter(Box<Segmenter>),
}

impl Trained {
    /// Reads a file of either kind, and where it comes from.
    ///
    /// # Errors
    /// If the source fails, or what it gives is neither, is damaged, or is from the future.
    pub fn read(mut input: impl Read) -> Result<(Trained, About), FileError> {
        let mut magic = Vec::with_capacity(16);
        input.by_ref().take(16).read_to_end(&mut magic)?;
        let is_segmenter = Kind::Segmenter.begins(&magic);
        let input = magic.chain(input);
        if is_segmenter {
            let (segmenter, about) = Segmenter::read_with_about(input)?;
            return Ok((Trained::Segmenter(Box::new(segmenter)), about));
        }
        let (model, about) = Model::read(input)?;
        Ok((Trained::Model(Box::new(model)), about))
    }

    /// The same for a file that is in memory, which is not copied if it is compact.
    ///
    /// # Errors
    /// As [`Trained::read`].
    pub fn read_bytes(file: &[u8]) -> Result<(Trained, About), FileError> {
        if Kind::Segmenter.begins(file) {
            return Trained::read(file);
        }
        let (header, contents) = container::read_bytes(Cow::Borrowed(file), Kind::Model)?;
        let (model, about) = Model::of_file(header, &contents)?;
        Ok((Trained::Model(Box::new(model)), about))
    }

    /// The model, unless there is only a segmenter.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Trained::Model(model) => Some(model),
            Trained::Segmenter(_) => None,
        }
    }

    /// What cuts running text into words, if that was learned.
    pub fn segmenter(&self) -> Option<&Segmenter> {
        match self {
            Trained::Model(model) => model.segmenter(),
            Trained::Segmenter(segmenter) => Some(segmenter),
        }
    }

    /// What it can do, in the order of [`Step::ALL`].
    pub fn steps(&self) -> Vec<Step> {
        match self {
            Trained::Model(model) => model.steps(),
            Trained::Segmenter(_) => vec![Step::Segment],
        }
    }
}

impl Model {
    /// Writes the model, every number as it is. Those of a [compact](Model::is_compact) one are expanded, and
    /// then multiplied with other rounding errors.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, about: &About, out: impl Write) -> Result<(), FileError> {
        self.write_as(Form::Plain, about, out)
    }

    /// Writes the model in a sixth of the size: tables of embeddings in half a byte per number, matrices in a
    /// byte, and all of it compressed. The numbers are rounded, so that the model is not quite the same.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_compact(&self, about: &About, out: impl Write) -> Result<(), FileError> {
        self.write_as(Form::Compact, about, out)
    }

    fn write_as(&self, form: Form, about: &About, out: impl Write) -> Result<(), FileError> {
        let header = Header {
            about: about.clone(),
            options: self.options().clone(),
            vocabulary: self.vocabulary().clone(),
            segmenter: self.segmenter().map(Segmenter::section),
        };
        let known = self.segmenter().map(Segmenter::known_numbers).unwrap_or_default();
        let parameters = self.parameters();
        let segmenter = self.segmenter().map(|segmenter| (segmenter, segmenter.expanded()));
        let mut numbers = self.network().layout().numbers(&parameters);
        numbers
            .extend(segmenter.iter().flat_map(|(segmenter, expanded)| segmenter.numbers(expanded, &known)));
        container::write(out, Kind::Model, &header, &numbers, form)
    }

    /// Reads a model, and where it comes from.
    ///
    /// # Errors
    /// If the source fails, or what it gives is not a model, a damaged one, or one from the future.
    pub fn read(input: impl Read) -> Result<(Model, About), FileError> {
        let (header, contents) = container::read(input, Kind::Model)?;
        Model::of_file(header, &contents)
    }

    fn of_file(header: Header, contents: &Contents) -> Result<(Model, About), FileError> {
        let tensors = contents.tensors()?;
        header.options.check().map_err(FileError::Senseless)?;
        header.vocabulary.check().map_err(FileError::Senseless)?;
        let Lemmas { scripts, learned, .. } = &header.vocabulary.lemmas;
        if *learned > scripts.len() {
            let message = format!("{learned} scripts of lemmas are learned, and there are {}", scripts.len());
            return Err(FileError::Senseless(message));
        }
        let network = Network::new(&header.options, &header.vocabulary);
        let store = Store::load(network.layout(), &tensors, contents.bytes())?;
        let mut model = Model::of_parts(header.options, header.vocabulary, network, store);
        if let Some(section) = header.segmenter {
            model = model.with_segmenter(Segmenter::from_section(section, &tensors, contents.bytes())?);
        }
        Ok((model, header.about))
    }
}
