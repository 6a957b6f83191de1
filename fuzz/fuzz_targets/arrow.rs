//! Tables in the Arrow format, of any types and with anything in their buffers, as somebody may hand them to the Python
//! package: refused, or answered row by row. Only lengths of buffers are what they should be: a table is handed over by
//! pointers, so that nobody could check these.

#![no_main]
#![allow(dead_code, reason = "parts of the Python package, of which Python needs more")]

mod count;

#[path = "../../crates/tanglewood-py/src/words.rs"]
mod words;

#[path = "."]
mod tables {
    #[path = "../../crates/tanglewood-py/src/arrow/column.rs"]
    pub mod column;
    #[path = "../../crates/tanglewood-py/src/arrow/coverage.rs"]
    pub mod coverage;
    #[path = "../../crates/tanglewood-py/src/arrow/evaluation.rs"]
    pub mod evaluation;
    #[path = "../../crates/tanglewood-py/src/arrow/rows.rs"]
    pub mod rows;
    #[path = "../../crates/tanglewood-py/src/arrow/table.rs"]
    pub mod table;

    pub mod sentences {
        /// Where a token is in the text.
        pub type Span = (u64, u64);
    }
}

use std::sync::{Arc, LazyLock};

use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Fields, Schema};
use tables::coverage::Coverage;
use tables::evaluation::Evaluation;
use tables::rows::{Input, Rows};
use tables::table::{Answers, OnError, Operation, answer};
use tanglewood::coverage::Survey;
use tanglewood::system::{Direction, System};

static SURVEY: LazyLock<Survey> = LazyLock::new(|| {
    let systems = ["arc-standard", "mh4"].map(|name| System::named(name).expect("a name"));
    Survey::new(&systems, Direction::Ltr, &[])
});

counted_target!(|data: &[u8]| {
    let mut bytes = Bytes(data);
    let Some(rows) = bytes.small() else { return };
    let Some(asked) = bytes.small() else { return };
    let (Some(first), Some(second)) = (column(&mut bytes, rows), column(&mut bytes, rows)) else { return };
    let field = |name: &str, array: &ArrayRef| Field::new(name, array.data_type().clone(), true);
    let schema = Arc::new(Schema::new(vec![field("a", &first), field("b", &second)]));
    let Ok(batch) = RecordBatch::try_new(schema.clone(), vec![first, second]) else { return };

    let on_error = if asked & 1 == 0 { OnError::Null } else { OnError::Raise };
    let operation: Arc<dyn Operation> = match asked & 2 {
        0 => Arc::new(Coverage {
            survey: SURVEY.clone(),
            names: vec!["arc-standard".to_owned(), "mh4".to_owned()],
            column: "a".to_owned(),
            on_error,
        }),
        _ => Arc::new(Evaluation { gold: "a".to_owned(), system: "b".to_owned(), on_error }),
    };
    let whole = answer(&*operation, &batch);
    if let Ok(whole) = &whole {
        assert_eq!(whole.num_rows(), batch.num_rows());
        // Columns that nobody asks about may be damaged: they are handed on, and not to be looked at.
        let mut columns = batch.columns().iter().zip(whole.columns());
        assert!(columns.all(|(given, answered)| Arc::ptr_eq(given, answered)));
    }
    // A stream says the same, however it is cut.
    let cut = rows / 2;
    let parts = [batch.slice(0, cut), batch.slice(cut, rows - cut)];
    let source = Box::new(RecordBatchIterator::new(parts.map(Ok), schema));
    let answers = Answers::new(source, operation, 1)
        .and_then(|answers| answers.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string()));
    // A batch may be damaged where a part of it is not, but then the part is the reason.
    if let (Ok(whole), Ok(parts)) = (&whole, &answers) {
        assert_eq!(parts.iter().map(RecordBatch::num_rows).sum::<usize>(), whole.num_rows());
        let mut row = 0;
        for part in parts {
            assert_eq!(part.columns()[2..], whole.slice(row, part.num_rows()).columns()[2..]);
            row += part.num_rows();
        }
    }
    assert!(whole.is_err() || answers.is_ok(), "{answers:?}");
    // What parsing reads; there is no model here.
    if batch.columns().iter().all(|column| column.to_data().validate_full().is_ok()) {
        for input in [Input::Tokens, Input::Conllu, Input::Text] {
            let Ok(read) = Rows::of(&batch, "a", input) else { continue };
            for row in 0..rows {
                let _ =
                    (read.words(row), read.read(row, None, |sentence| assert!(!sentence.conllu.is_empty())));
            }
        }
    }
});

/// What is left of the input.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes, if there are that many.
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.0.split_at_checked(count)?;
        self.0 = left;
        Some(taken)
    }

    fn small(&mut self) -> Option<usize> {
        Some(usize::from(self.take(1)?[0] % 8))
    }

    /// Numbers for a buffer. Most are small ones, which say something; some are as they come.
    fn numbers(&mut self, count: usize, size: usize) -> Option<Vec<u8>> {
        if self.small()? == 0 {
            return Some(self.take(count * size)?.to_vec());
        }
        let small = self.take(count)?;
        // With the sign of the byte.
        let wide = |&byte: &u8| i64::from(byte as i8).to_le_bytes();
        Some(small.iter().flat_map(|byte| wide(byte).into_iter().take(size)).collect())
    }

    /// Which of the rows are not null.
    fn nulls(&mut self, rows: usize) -> Option<Option<NullBuffer>> {
        if self.small()? > 1 {
            return Some(None);
        }
        let bits = self.take(rows.div_ceil(8))?.to_vec();
        Some(Some(NullBuffer::new(BooleanBuffer::new(Buffer::from(bits), 0, rows))))
    }
}

/// A column of some type.
fn column(bytes: &mut Bytes<'_>, rows: usize) -> Option<ArrayRef> {
    let kind = usize::from(bytes.take(1)?[0]);
    let data = match kind % 9 {
        0 | 1 => text(bytes, rows, false),
        2 => text(bytes, rows, true),
        3 => views(bytes, rows),
        4 => {
            let types =
                [(DataType::Int8, 1), (DataType::UInt16, 2), (DataType::Int32, 4), (DataType::Int64, 8)];
            let (data_type, size) = types[kind / 9 % 4].clone();
            numbers(bytes, rows, data_type, size)
        }
        5 => list(bytes, rows, kind / 9 % 2 == 1, |bytes, rows| text(bytes, rows, false)),
        6 => list(bytes, rows, kind / 9 % 2 == 1, |bytes, rows| numbers(bytes, rows, DataType::Int32, 4)),
        7 => list(bytes, rows, false, |bytes, rows| {
            let words = list(bytes, rows, false, |bytes, rows| {
                let heads = numbers(bytes, rows, DataType::Int32, 4)?;
                structure("head", heads, rows)
            })?;
            structure("words", words, rows)
        }),
        _ => list(bytes, rows, true, views),
    }?;
    Some(make_array(data))
}

/// Data as it comes from others: nothing but the lengths of buffers has been looked at.
fn built(
    data_type: DataType,
    rows: usize,
    nulls: Option<NullBuffer>,
    buffers: Vec<Vec<u8>>,
    child: Option<ArrayData>,
) -> ArrayData {
    let builder = ArrayData::builder(data_type)
        .len(rows)
        .nulls(nulls)
        .buffers(buffers.into_iter().map(aligned).collect())
        .child_data(child.into_iter().collect());
    // SAFETY: what the buffers have in them is checked by the code that is tested here.
    unsafe { builder.build_unchecked() }
}

fn aligned(bytes: Vec<u8>) -> Buffer {
    let mut aligned = arrow_buffer::MutableBuffer::new(bytes.len());
    aligned.extend_from_slice(&bytes);
    aligned.into()
}

/// Offsets into what is as long as the last of them says, as those who read a table by pointers believe.
fn offsets(bytes: &mut Bytes<'_>, rows: usize, large: bool) -> Option<(Vec<u8>, usize)> {
    let offsets = bytes.numbers(rows + 1, if large { 8 } else { 4 })?;
    let last = match large {
        true => i64::from_le_bytes(*offsets.last_chunk()?),
        false => i64::from(i32::from_le_bytes(*offsets.last_chunk()?)),
    };
    let length = usize::try_from(last).ok().filter(|&length| length < 1 << 12)?;
    Some((offsets, length))
}

fn text(bytes: &mut Bytes<'_>, rows: usize, large: bool) -> Option<ArrayData> {
    let nulls = bytes.nulls(rows)?;
    let (offsets, length) = offsets(bytes, rows, large)?;
    let content = bytes.take(length)?.to_vec();
    let data_type = if large { DataType::LargeUtf8 } else { DataType::Utf8 };
    Some(built(data_type, rows, nulls, vec![offsets, content], None))
}

fn views(bytes: &mut Bytes<'_>, rows: usize) -> Option<ArrayData> {
    let nulls = bytes.nulls(rows)?;
    let views = bytes.take(16 * rows)?.to_vec();
    let length = bytes.small()? * 8;
    let content = bytes.take(length)?.to_vec();
    Some(built(DataType::Utf8View, rows, nulls, vec![views, content], None))
}

fn numbers(bytes: &mut Bytes<'_>, rows: usize, data_type: DataType, size: usize) -> Option<ArrayData> {
    let nulls = bytes.nulls(rows)?;
    let numbers = bytes.numbers(rows, size)?;
    Some(built(data_type, rows, nulls, vec![numbers], None))
}

fn list(
    bytes: &mut Bytes<'_>,
    rows: usize,
    large: bool,
    items: impl FnOnce(&mut Bytes<'_>, usize) -> Option<ArrayData>,
) -> Option<ArrayData> {
    let nulls = bytes.nulls(rows)?;
    let (offsets, length) = offsets(bytes, rows, large)?;
    let items = items(bytes, length)?;
    let item = Arc::new(Field::new("item", items.data_type().clone(), true));
    let data_type = if large { DataType::LargeList(item) } else { DataType::List(item) };
    Some(built(data_type, rows, nulls, vec![offsets], Some(items)))
}

fn structure(name: &str, content: ArrayData, rows: usize) -> Option<ArrayData> {
    let fields = Fields::from(vec![Field::new(name, content.data_type().clone(), true)]);
    Some(built(DataType::Struct(fields), rows, None, Vec::new(), Some(content)))
}
