//! `tanglewood models`

use std::io::Write;

use serde_json::{Value, json};
use tanglewood_models::{NamedModel, Place};

use super::model_file::read_model;
use crate::Outcome;
use crate::arguments::{ModelsArguments, TableFormat};
use crate::failure::Verdict;
use crate::output::Output;
use crate::text::{Table, grouped};

pub fn run(arguments: &ModelsArguments) -> Outcome {
    let models = tanglewood_models::known();
    let mut out = Output::standard();
    match arguments.format {
        TableFormat::Table => {
            for line in table(&models).lines() {
                writeln!(out, "{line}")?;
            }
        }
        TableFormat::Json => {
            let folders = tanglewood_models::folders();
            let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            let models: Vec<Value> = models.iter().map(object).collect();
            writeln!(out, "{:#}", json!({ "models": models, "folders": folders }))?;
        }
    }
    out.finish()?;
    Ok(Verdict::Yes)
}

/// What a model can do, or why it cannot be read.
fn steps(model: &NamedModel) -> Result<Vec<&'static str>, String> {
    let (trained, _) = read_model(model).map_err(|failure| failure.to_string())?;
    Ok(trained.steps().into_iter().map(|step| step.name()).collect())
}

fn table(models: &[NamedModel]) -> Table {
    let mut table = Table::new(4);
    table.row(["name", "steps", "bytes", "place"]);
    for model in models {
        let steps = steps(model).map_or_else(|_| "cannot be read".to_owned(), |steps| steps.join(", "));
        let bytes = model.bytes().map_or_else(|_| String::new(), grouped);
        table.row([model.name.clone(), steps, bytes, model.place_name()]);
    }
    table
}

fn object(model: &NamedModel) -> Value {
    let (steps, error) = match steps(model) {
        Ok(steps) => (Some(steps), None),
        Err(error) => (None, Some(error)),
    };
    let path = match &model.place {
        Place::BuiltIn(_) => None,
        Place::File(path) => Some(path.display().to_string()),
    };
    json!({
        "name": model.name,
        "built_in": path.is_none(),
        "path": path,
        "bytes": model.bytes().ok(),
        "steps": steps,
        "error": error,
    })
}
