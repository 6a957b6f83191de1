//! Evaluation: two columns of CoNLL-U in, counts of what agrees out, which can be added up over any rows.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema};
use tanglewood::evaluation::{Metric, Side, Unaligned, evaluate};

use super::column::{self, Texts};
use super::table::{Counts, Errors, OnError, Operation, at};

/// The columns that are compared.
pub struct Evaluation {
    pub gold: String,
    pub system: String,
    pub on_error: OnError,
}

/// What is counted of each measure.
const PARTS: [&str; 4] = ["gold", "system", "correct", "aligned"];

fn parts() -> Fields {
    PARTS.iter().map(|part| Field::new(*part, DataType::Int64, true)).collect()
}

/// The name of a measure's column, as in the JSON of the program.
fn title(metric: Metric) -> String {
    metric.name().replace(' ', "_").replace('-', "")
}

impl Evaluation {
    fn texts(&self, batch: &RecordBatch, name: &str) -> Result<Texts, String> {
        let array = column::named(batch, name)?;
        let wrong =
            || format!("column `{name}` is of type {}; expected CoNLL-U as a string", array.data_type());
        Texts::of(array).ok_or_else(wrong)
    }

    /// Counts of a row, by measure.
    fn row(&self, gold: &str, system: &str) -> Result<Vec<[u64; PARTS.len()]>, (&str, String)> {
        let evaluation = evaluate(gold.as_bytes(), system.as_bytes()).map_err(|error| match error {
            Unaligned::Source((side, problem)) | Unaligned::Unreadable(side, problem) => {
                let column = if side == Side::Gold { &self.gold } else { &self.system };
                (column.as_str(), problem.to_string())
            }
            Unaligned::Difference(difference) => {
                let place = |place: Option<tanglewood::evaluation::Place>| match place {
                    Some(place) => format!("{} at line {}", place.quoted(), place.line),
                    None => "the end".to_owned(),
                };
                let message = format!(
                    "{}; expected {} as in `{}`: apart from spaces, both must have the same characters",
                    place(difference.system),
                    place(difference.gold),
                    self.gold
                );
                (self.system.as_str(), message)
            }
        })?;
        let counts = |metric| {
            let score = evaluation.score(metric);
            [score.gold, score.system, score.correct, score.aligned]
        };
        Ok(Metric::ALL.into_iter().map(counts).collect())
    }
}

impl Operation for Evaluation {
    fn version(&self) -> &'static str {
        "evaluation/1"
    }

    fn fields(&self) -> Vec<FieldRef> {
        let field = |metric| Arc::new(Field::new(title(metric), DataType::Struct(parts()), true));
        Metric::ALL.into_iter().map(field).collect()
    }

    fn on_error(&self) -> OnError {
        self.on_error
    }

    fn check(&self, schema: &Schema) -> Result<(), String> {
        let empty = RecordBatch::new_empty(Arc::new(schema.clone()));
        self.texts(&empty, &self.gold).and(self.texts(&empty, &self.system)).map(drop)
    }

    fn reads(&self) -> Vec<&str> {
        vec![&self.gold, &self.system]
    }

    fn words(&self, batch: &RecordBatch) -> Result<Vec<usize>, String> {
        // Counts are small, whatever they are of.
        Ok(vec![1; batch.num_rows()])
    }

    fn columns(
        &self,
        batch: &RecordBatch,
        first_row: u64,
        _: &Counts,
    ) -> Result<(Vec<ArrayRef>, Errors), String> {
        let (gold, system) = (self.texts(batch, &self.gold)?, self.texts(batch, &self.system)?);
        let mut counts = Vec::with_capacity(batch.num_rows());
        let mut errors = Errors::new();
        for row in 0..batch.num_rows() {
            let (found, error) = match (gold.get(row), system.get(row)) {
                (Some(gold), Some(system)) => match self.row(gold, system) {
                    Ok(found) => (Some(found), None),
                    Err((column, message)) => (None, Some(at(first_row + row as u64, column, &message))),
                },
                _ => (None, None),
            };
            if let (Some(error), OnError::Raise) = (&error, self.on_error) {
                return Err(error.clone());
            }
            counts.push(found);
            errors.push(error);
        }
        let valid = NullBuffer::from_iter(counts.iter().map(Option::is_some));
        let column = |metric: usize| -> Result<ArrayRef, String> {
            let part = |part: usize| -> ArrayRef {
                let number = |row: &Option<Vec<[u64; PARTS.len()]>>| {
                    row.as_ref().map(|counts| counts[metric][part] as i64)
                };
                Arc::new(counts.iter().map(number).collect::<Int64Array>())
            };
            let arrays = (0..PARTS.len()).map(part).collect();
            let structs = StructArray::try_new(parts(), arrays, Some(valid.clone()));
            Ok(Arc::new(structs.map_err(|error| error.to_string())?))
        };
        let columns = (0..Metric::ALL.len()).map(column).collect::<Result<_, _>>()?;
        Ok((columns, errors))
    }
}
