//! A model as a file that describes itself.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::container::{self, FileError, Kind, Numbers};
use crate::model::Model;
use crate::network::Network;
use crate::options::Options;
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
    /// The name of the development data.
    pub development_data: String,
    /// How it was trained.
    pub settings: Option<Settings>,
    /// What it was trained to do, in words.
    pub objective: String,
    /// How well it did on the development data.
    pub accuracy: Option<Accuracy>,
    /// How many epochs it took.
    pub epochs: u64,
}

#[derive(Serialize, Deserialize)]
struct Header {
    about: About,
    options: Options,
    vocabulary: Vocabulary,
}

impl Model {
    /// Writes the model.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, about: &About, out: impl Write) -> Result<(), FileError> {
        let header = Header {
            about: about.clone(),
            options: self.options().clone(),
            vocabulary: self.vocabulary().clone(),
        };
        let numbers: Vec<Numbers<'_>> = self
            .network()
            .layout()
            .entries()
            .iter()
            .map(|entry| Numbers {
                name: &entry.name,
                shape: [entry.tensor.rows, entry.tensor.columns],
                values: self.parameters().slice(entry.tensor),
            })
            .collect();
        container::write(out, Kind::Model, &header, &numbers)
    }

    /// Reads a model, and where it comes from.
    ///
    /// # Errors
    /// If the source fails, or what it gives is not a model, a damaged one, or one from the future.
    pub fn read(input: impl Read) -> Result<(Model, About), FileError> {
        let (header, numbers): (Header, _) = container::read(input, Kind::Model)?;
        let tensors = container::tensors(&numbers)?;
        header.options.check().map_err(FileError::Senseless)?;
        // Before anything is allocated: every tensor has to be there, in full length.
        let network = Network::new(&header.options, &header.vocabulary);
        for entry in network.layout().entries() {
            let found = tensors.tensor(&entry.name).map(|tensor| tensor.data().len());
            if found.ok() != Some(4 * entry.tensor.range().len()) {
                return Err(FileError::Senseless(format!(
                    "the tensor {:?} does not fit the header",
                    entry.name
                )));
            }
        }
        let mut model = Model::new(header.options, header.vocabulary, 0);
        for entry in network.layout().entries() {
            let tensor = entry.tensor;
            let to = &mut model.parameters.values[tensor.range()];
            container::load(&tensors, &entry.name, [tensor.rows, tensor.columns], to)?;
        }
        Ok((model, header.about))
    }
}
