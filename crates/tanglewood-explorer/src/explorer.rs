//! What can be asked for, whoever hands over the question.

use std::io;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tanglewood::system::TreeClass;

use crate::answer::{Answer, Refusal};
use crate::model::Model;
use crate::systems::Systems;
use crate::treebank::{self, Treebank, TreebankFile};
use crate::{analysis, export, limits, score_view, tree_view};

/// What a question consists of besides its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Nothing.
    Nothing,
    /// A JSON object.
    Json,
    /// A file.
    Bytes,
}

impl Content {
    /// Most bytes that it may have.
    pub fn limit(self) -> usize {
        match self {
            Content::Nothing => 0,
            Content::Json => limits::BODY_BYTES,
            Content::Bytes => limits::UPLOAD_BYTES,
        }
    }

    /// What is said about content that has more.
    pub fn too_large(self) -> Refusal {
        let most = self.limit();
        Refusal::new(match self {
            Content::Nothing => "a question with content; expected none".to_owned(),
            Content::Json => format!("a request of more than {most} bytes; expected a shorter text"),
            Content::Bytes => {
                format!("a file of more than {} MiB; start the server with it instead", most >> 20)
            }
        })
    }
}

/// All questions by name.
pub const QUESTIONS: [(&str, Content); 9] = [
    ("about", Content::Nothing),
    ("tree", Content::Json),
    ("scores", Content::Json),
    ("parse", Content::Json),
    ("sentences", Content::Json),
    ("sentence", Content::Json),
    ("statistics", Content::Json),
    ("export", Content::Json),
    ("open", Content::Bytes),
];

/// The status of an answer that says that a model has to be handed over first.
pub const MODEL_AWAITED: u16 = 425;

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// As in HTTP: 200 for an answer, 400 for what is no question, 404 for one that nobody knows, 413 for one
    /// that is too large, 422 for a refusal, or [`MODEL_AWAITED`]. Everything but an answer is
    /// `{"error": …}`.
    pub status: u16,
    /// The type of the content.
    pub kind: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

/// Unpacks a file if it is compressed; gives nothing if it unpacks to more than the given number of bytes.
pub type Unpack = fn(Vec<u8>, u64) -> io::Result<Option<Vec<u8>>>;

/// What the surroundings can do and the library cannot.
#[derive(Clone, Copy)]
pub struct Abilities {
    /// Unpacks what may be compressed.
    pub unpack: Unpack,
    /// Makes other kinds of pictures of SVG.
    pub renderers: &'static [Renderer],
}

/// Makes another kind of picture of SVG.
pub struct Renderer {
    /// The ending of its files.
    pub ending: &'static str,
    /// The type of their content.
    pub kind: &'static str,
    /// The picture, or why there is none.
    pub render: fn(&str) -> Result<Vec<u8>, String>,
}

impl Default for Abilities {
    /// Nothing but to recognise what is compressed.
    fn default() -> Abilities {
        Abilities { unpack: unpacked_already, renderers: &[] }
    }
}

/// All that questions are about.
pub struct Explorer {
    model: RwLock<Model>,
    treebank: Treebank,
    systems: Systems,
    abilities: Abilities,
}

impl Explorer {
    /// With a model or without, and with files of sentences.
    pub fn new(model: Model, files: Vec<TreebankFile>, abilities: Abilities) -> Explorer {
        let (treebank, systems) = (Treebank::new(files), Systems::new());
        Explorer { model: RwLock::new(model), treebank, systems, abilities }
    }

    /// Takes another model.
    pub fn set_model(&self, model: Model) {
        *self.model.write().unwrap_or_else(PoisonError::into_inner) = model;
    }

    fn model(&self) -> RwLockReadGuard<'_, Model> {
        self.model.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a question, which is one of [`QUESTIONS`], with what follows a question mark in an
    /// address.
    pub fn answer(&self, question: &str, body: Vec<u8>) -> Reply {
        let (name, more) = question.split_once('?').unwrap_or((question, ""));
        let content = QUESTIONS.iter().find(|(known, _)| *known == name).map(|&(_, content)| content);
        if let Some(content) = content.filter(|content| body.len() > content.limit()) {
            return refused(413, &content.too_large());
        }
        match name {
            "about" => reply(Ok(self.about())),
            "tree" => asked(&body, |question| tree_view::answer(&self.systems, &self.model(), question)),
            "scores" => asked(&body, |question| score_view::answer(&question)),
            "parse" => asked(&body, |question| analysis::answer(&self.model(), &question)),
            "sentences" => asked(&body, |question| treebank::sentences(&self.treebank, &question)),
            "sentence" => asked(&body, |question| treebank::sentence(&self.treebank, &question)),
            "statistics" => asked(&body, |question| treebank::statistics(&self.treebank, &question)),
            "export" => match question_in(&body) {
                Ok(question) => self.exported(&question),
                Err(reply) => reply,
            },
            "open" => {
                let name = more.strip_prefix("name=").unwrap_or("file");
                reply(treebank::open(&self.treebank, name, body, self.abilities.unpack))
            }
            _ => refused(404, &Refusal::new("there is no such question")),
        }
    }

    fn about(&self) -> Value {
        let names = self.systems.names();
        json!({
            "systems": names,
            "classes": names.iter().copied().chain(TreeClass::ANY).collect::<Vec<_>>(),
            "model": self.model().is_some(),
            "formats": export::formats(self.abilities.renderers),
            "files": treebank::opened(&self.treebank),
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    /// A sentence as a file to be saved.
    fn exported(&self, question: &export::Question) -> Reply {
        match export::export(question, self.abilities.renderers) {
            Ok((kind, bytes)) => Reply { status: 200, kind, bytes },
            Err(refusal) => reply(Err(refusal)),
        }
    }
}

fn asked<Q: DeserializeOwned>(body: &[u8], answer: impl FnOnce(Q) -> Answer) -> Reply {
    match question_in(body) {
        Ok(question) => reply(answer(question)),
        Err(reply) => reply,
    }
}

fn question_in<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, Reply> {
    serde_json::from_slice(body)
        .map_err(|error| refused(400, &Refusal::new(format!("not a question: {error}"))))
}

fn reply(answer: Answer) -> Reply {
    match answer {
        Ok(answer) => of_json(200, &answer),
        Err(refusal) => refused(if refusal.awaits_model { MODEL_AWAITED } else { 422 }, &refusal),
    }
}

fn refused(status: u16, refusal: &Refusal) -> Reply {
    of_json(status, &refusal.to_json())
}

fn of_json(status: u16, value: &Value) -> Reply {
    Reply { status, kind: "application/json", bytes: value.to_string().into_bytes() }
}

/// For surroundings that cannot unpack anything.
fn unpacked_already(bytes: Vec<u8>, most: u64) -> io::Result<Option<Vec<u8>>> {
    let packed: [&[u8]; 3] = [&[0x1F, 0x8B], &[0xFD, b'7', b'z', b'X', b'Z'], &[0x28, 0xB5, 0x2F, 0xFD]];
    if packed.iter().any(|start| bytes.starts_with(start)) {
        let message = "it is compressed in a way that cannot be unpacked here; unpack it first";
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    }
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}
