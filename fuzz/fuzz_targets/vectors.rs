//! Pretrained vectors of any bytes: refused in few words, or all there.

#![no_main]

mod count;

use tanglewood_nn::Vectors;

counted_target!(|data: &[u8]| {
    match Vectors::read(data, 50) {
        Ok(vectors) => assert!(vectors.len() <= 50 && vectors.columns() > 0),
        Err(error) => {
            let message = error.to_string();
            assert!(message.len() < 500 && !message.contains(char::is_control), "{message}");
        }
    }
});
