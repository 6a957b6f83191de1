//! Columns of tables, whatever the library that made them takes for a string or a list.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, RecordBatch};
use arrow_schema::DataType;

/// A column of strings.
pub struct Texts(ArrayRef);

/// A column of lists.
pub struct Lists {
    lists: ArrayRef,
    values: ArrayRef,
}

/// The column of this name.
pub fn named<'a>(batch: &'a RecordBatch, name: &str) -> Result<&'a ArrayRef, String> {
    batch.column_by_name(name).ok_or_else(|| {
        let schema = batch.schema();
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        format!("there is no column `{name}`; expected one of {}", names.join(", "))
    })
}

impl Texts {
    pub fn of(array: &ArrayRef) -> Option<Texts> {
        let is_text = matches!(array.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        is_text.then(|| Texts(array.clone()))
    }

    /// Nothing for null.
    pub fn get(&self, row: usize) -> Option<&str> {
        if self.0.is_null(row) {
            return None;
        }
        Some(match self.0.data_type() {
            DataType::Utf8 => self.0.as_string::<i32>().value(row),
            DataType::LargeUtf8 => self.0.as_string::<i64>().value(row),
            _ => self.0.as_string_view().value(row),
        })
    }
}

impl Lists {
    pub fn of(array: &ArrayRef) -> Option<Lists> {
        let values = match array.data_type() {
            DataType::List(_) => array.as_list::<i32>().values(),
            DataType::LargeList(_) => array.as_list::<i64>().values(),
            _ => return None,
        };
        Some(Lists { lists: array.clone(), values: values.clone() })
    }

    /// All elements of all lists.
    pub fn values(&self) -> &ArrayRef {
        &self.values
    }

    /// Which of the elements are those of a row; nothing for null.
    pub fn get(&self, row: usize) -> Option<Range<usize>> {
        if self.lists.is_null(row) {
            return None;
        }
        Some(match self.lists.data_type() {
            DataType::List(_) => {
                let offsets = self.lists.as_list::<i32>().value_offsets();
                offsets[row] as usize..offsets[row + 1] as usize
            }
            _ => {
                let offsets = self.lists.as_list::<i64>().value_offsets();
                offsets[row] as usize..offsets[row + 1] as usize
            }
        })
    }
}

/// A column of numbers as numbers of 64 bits; nothing if it is none. Null is -1.
pub fn integers(array: &ArrayRef) -> Option<Vec<i64>> {
    fn wide<T: ArrowPrimitiveType>(array: &ArrayRef) -> Vec<i64>
    where
        T::Native: Into<i64>,
    {
        array.as_primitive::<T>().iter().map(|number| number.map_or(-1, Into::into)).collect()
    }
    Some(match array.data_type() {
        DataType::Int8 => wide::<Int8Type>(array),
        DataType::Int16 => wide::<Int16Type>(array),
        DataType::Int32 => wide::<Int32Type>(array),
        DataType::Int64 => wide::<Int64Type>(array),
        DataType::UInt8 => wide::<UInt8Type>(array),
        DataType::UInt16 => wide::<UInt16Type>(array),
        DataType::UInt32 => wide::<UInt32Type>(array),
        _ => return None,
    })
}
