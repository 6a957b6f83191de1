//! What the server takes on; `tanglewood_explorer` limits what is answered. `docs/pictures.md` has the same
//! numbers.

use std::time::Duration;

/// Connections at the same time; more have to wait.
pub const CONNECTIONS: usize = 256;
/// From the first byte of a request to its headers' end, and between requests.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// From the end of a request's headers to the answer; its body has to arrive within that.
pub const REQUEST_TIME: Duration = Duration::from_secs(20);
/// How long a client may take nothing of an answer that is ready.
pub const STALL_TIME: Duration = Duration::from_secs(5);
/// A connection is closed after this, whatever it is doing; browsers open another.
pub const CONNECTION_TIME: Duration = Duration::from_secs(120);
/// How long requests that are being answered may take when the server is told to stop.
pub const FAREWELL_TIME: Duration = Duration::from_secs(2);
