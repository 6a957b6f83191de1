//! Reading a request's body, up to a limit.

use http_body_util::BodyExt;
use hyper::body::Incoming;

/// Why there is no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBody {
    /// More than is allowed.
    TooLarge,
    /// The client stopped sending, or sent what is no body.
    Broken,
}

/// The whole body. Of one that is too large nothing is kept, but it is read to its end: who is still sending
/// does not hear the answer.
pub async fn read(mut body: Incoming, most: usize) -> Result<Vec<u8>, NoBody> {
    let mut bytes = Vec::new();
    let mut length = 0usize;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| NoBody::Broken)?;
        let Some(data) = frame.data_ref() else { continue };
        length = length.saturating_add(data.len());
        if length > most {
            bytes = Vec::new();
        } else {
            bytes.extend_from_slice(data);
        }
    }
    if length > most { Err(NoBody::TooLarge) } else { Ok(bytes) }
}
