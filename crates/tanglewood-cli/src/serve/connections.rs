//! Connections: how many at once, how slow they may be, and how they end.

use std::convert::Infallible;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::limits::{CONNECTION_TIME, CONNECTIONS, FAREWELL_TIME, HEADER_TIME};
use super::routes::Server;
use super::stall::Unstalled;

/// Serves until `stop` is done; then lets requests that are being answered finish, for a moment.
pub async fn serve(listener: TcpListener, server: Arc<Server>, stop: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let (stopping, stopped) = watch::channel(false);
    let mut stop = pin!(stop);
    loop {
        // A place first: who cannot have one waits where the system keeps those that have not been accepted.
        let place = tokio::select! {
            () = &mut stop => break,
            place = places.clone().acquire_owned() => place,
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        let (Ok(place), Ok((stream, _))) = (place, accepted) else {
            // Out of file descriptors, say. Trying again at once would only keep a core busy.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (server, stopped) = (server.clone(), stopped.clone());
        tokio::spawn(async move {
            connection(stream, server, stopped).await;
            drop(place);
        });
    }
    drop(listener);
    let _ = stopping.send(true);
    let _ = timeout(FAREWELL_TIME, places.acquire_many(CONNECTIONS as u32)).await;
}

/// One connection, from its first request to its end.
async fn connection(stream: TcpStream, server: Arc<Server>, mut stopped: watch::Receiver<bool>) {
    // Answers are small; waiting to fill a packet would only delay them.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIME).max_buf_size(64 << 10);
    // Who has said all may close that side, and still waits for the answer.
    http.half_close(true);
    let stream = TokioIo::new(Unstalled::new(stream));
    let answer = |request| async { Ok::<_, Infallible>(server.respond(request).await) };
    let connection = http.serve_connection(stream, service_fn(answer));
    let mut connection = pin!(connection);
    let ends = tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopped.wait_for(|stopped| *stopped) => FAREWELL_TIME,
        () = sleep(CONNECTION_TIME) => FAREWELL_TIME,
    };
    connection.as_mut().graceful_shutdown();
    // Who does not take the answer by then does not get it.
    let _ = timeout(ends, connection).await;
}
