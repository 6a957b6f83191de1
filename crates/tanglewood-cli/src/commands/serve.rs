//! `tanglewood serve`

use std::io::Write;
use std::net::ToSocketAddrs;
use std::sync::Arc;

use crate::Outcome;
use crate::arguments::ServeArguments;
use crate::failure::{Failure, Verdict};
use crate::input;
use crate::serve::{Explorer, Guard, Parser, Treebank, TreebankFile, router, serve};

pub fn run(arguments: &ServeArguments) -> Outcome {
    let parser = arguments.model.as_deref().map(Parser::open).transpose()?;
    let sources = input::sources(&arguments.files)?;
    let files = sources.iter().map(TreebankFile::open).collect::<Result<Vec<_>, _>>()?;
    let place = format!("{}:{}", arguments.host, arguments.port);
    let failed = |error| Failure::File { doing: "listen on", file: place.clone(), error };
    let addresses: Vec<_> =
        (arguments.host.as_str(), arguments.port).to_socket_addrs().map_err(failed)?.collect();
    let listener = std::net::TcpListener::bind(&addresses[..]).map_err(|error| match error.kind() {
        std::io::ErrorKind::AddrInUse => Failure::Other(format!(
            "cannot listen on {place}: it is in use; choose another with --port, or --port 0 for any"
        )),
        _ => failed(error),
    })?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let explorer = Arc::new(Explorer::new(Guard::new(&arguments.host), parser, Treebank::new(files)));
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener).map_err(failed)?;
        // Signals are heard from here on, so that whoever has read the address can stop the server.
        let stop = stop_signal();
        let mut out = std::io::stdout().lock();
        writeln!(out, "http://{address}/")?;
        writeln!(out, "Ctrl-C stops it.")?;
        out.flush()?;
        drop(out);
        serve(listener, router(explorer), stop).await;
        Ok::<(), Failure>(())
    })?;
    // Work that nobody waits for any more is not waited for.
    runtime.shutdown_background();
    Ok(Verdict::Yes)
}

/// Done at Ctrl-C, and on Unix at a request to terminate.
#[cfg(unix)]
fn stop_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [mut interrupt, mut terminate, mut hangup] = kinds.map(|kind| signal(kind).ok());
    async fn heard(signal: &mut Option<tokio::signal::unix::Signal>) {
        match signal {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }
    async move {
        tokio::select! {
            () = heard(&mut interrupt) => {}
            () = heard(&mut terminate) => {}
            () = heard(&mut hangup) => {}
        }
    }
}

#[cfg(not(unix))]
async fn stop_signal() {
    let _ = tokio::signal::ctrl_c().await;
}
