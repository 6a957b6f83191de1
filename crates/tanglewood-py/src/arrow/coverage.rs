//! Coverage: a column of trees in, for each row how many of them systems can build.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use tanglewood::Tree;
use tanglewood::conllu::{Sentences, Validator};
use tanglewood::coverage::{Counts, Survey};

use super::column::{self, Lists, Texts};
use super::table::{self, Errors, OnError, Operation, at};

/// Which systems are asked about which column.
pub struct Coverage {
    pub survey: Survey,
    /// Names of the systems, as the columns have them.
    pub names: Vec<String>,
    pub column: String,
    pub on_error: OnError,
}

/// Trees of a row.
enum Trees {
    /// CoNLL-U.
    Conllu(Texts),
    /// The heads of one tree.
    Heads(Lists, Vec<i64>),
    /// What parsing gives: a list of sentences, the words of each, and their heads.
    Sentences(Lists, Lists, Vec<i64>),
}

impl Trees {
    fn of(array: &ArrayRef) -> Option<Trees> {
        if let Some(texts) = Texts::of(array) {
            return Some(Trees::Conllu(texts));
        }
        let lists = Lists::of(array)?;
        if let Some(heads) = column::integers(lists.values()) {
            return Some(Trees::Heads(lists, heads));
        }
        let words = Lists::of(lists.values().as_struct_opt()?.column_by_name("words")?)?;
        let heads = column::integers(words.values().as_struct_opt()?.column_by_name("head")?)?;
        Some(Trees::Sentences(lists, words, heads))
    }

    /// Hands over the trees of a row; false for null.
    fn read(&self, row: usize, mut take: impl FnMut(Tree)) -> Result<bool, String> {
        let of_heads = |heads: &[i64]| -> Result<Tree, String> {
            let heads: Option<Vec<usize>> = heads.iter().map(|&head| usize::try_from(head).ok()).collect();
            let heads = heads.ok_or("a head is null or negative; expected 0 for the root, or a word")?;
            Tree::from_heads(&heads).map_err(|error| error.to_string())
        };
        match self {
            Trees::Conllu(texts) => {
                let Some(text) = texts.get(row) else { return Ok(false) };
                let mut validator = Validator::new();
                for sentence in Sentences::of(text.as_bytes()) {
                    if !sentence.is_blank() && !sentence.is_gap() {
                        take(validator.tree(&sentence).map_err(|problem| problem.to_string())?);
                    }
                }
            }
            Trees::Heads(lists, heads) => {
                let Some(list) = lists.get(row) else { return Ok(false) };
                take(of_heads(&heads[list])?);
            }
            Trees::Sentences(lists, words, heads) => {
                let Some(list) = lists.get(row) else { return Ok(false) };
                for sentence in list {
                    take(of_heads(&heads[words.get(sentence).unwrap_or_default()])?);
                }
            }
        }
        Ok(true)
    }
}

impl Coverage {
    fn trees(&self, batch: &RecordBatch) -> Result<Trees, String> {
        let array = column::named(batch, &self.column)?;
        Trees::of(array).ok_or_else(|| {
            format!(
                "column `{}` is of type {}; expected CoNLL-U as a string, a list of heads, or the sentences that \
                 parsing gives",
                self.column,
                array.data_type()
            )
        })
    }
}

impl Operation for Coverage {
    fn version(&self) -> &'static str {
        "coverage/1"
    }

    fn fields(&self) -> Vec<FieldRef> {
        let counted = ["sentence_count", "nonprojective"].map(str::to_owned);
        let names = counted.iter().chain(&self.names);
        names.map(|name| Arc::new(Field::new(name, DataType::Int64, true))).collect()
    }

    fn on_error(&self) -> OnError {
        self.on_error
    }

    fn check(&self, schema: &Schema) -> Result<(), String> {
        self.trees(&RecordBatch::new_empty(Arc::new(schema.clone()))).map(drop)
    }

    fn reads(&self) -> Vec<&str> {
        vec![&self.column]
    }

    fn words(&self, batch: &RecordBatch) -> Result<Vec<usize>, String> {
        // Counts are small, whatever they are of.
        Ok(vec![1; batch.num_rows()])
    }

    fn columns(
        &self,
        batch: &RecordBatch,
        first_row: u64,
        so_far: &table::Counts,
    ) -> Result<(Vec<ArrayRef>, Errors), String> {
        let trees = self.trees(batch)?;
        let mut columns: Vec<Vec<Option<i64>>> = vec![Vec::new(); self.names.len() + 2];
        let mut errors = Errors::new();
        for row in 0..batch.num_rows() {
            let mut counts = self.survey.counts();
            let read = trees.read(row, |tree| self.survey.add(&tree, &mut counts));
            let (counts, error) = match read {
                Ok(true) => (Some(counts), None),
                Ok(false) => (None, None),
                Err(message) => (None, Some(at(first_row + row as u64, &self.column, &message))),
            };
            if let Some(counts) = &counts {
                table::Counts::add(&so_far.sentences, counts.sentences as usize);
            }
            if let (Some(error), OnError::Raise) = (&error, self.on_error) {
                return Err(error.clone());
            }
            for (column, number) in columns.iter_mut().zip(0..) {
                column.push(counts.as_ref().map(|counts| numbers(counts)[number] as i64));
            }
            errors.push(error);
        }
        let array = |column: Vec<Option<i64>>| -> ArrayRef { Arc::new(Int64Array::from(column)) };
        Ok((columns.into_iter().map(array).collect(), errors))
    }
}

/// In the order of the columns.
fn numbers(counts: &Counts) -> Vec<u64> {
    [counts.sentences, counts.nonprojective].into_iter().chain(counts.covered.iter().copied()).collect()
}
