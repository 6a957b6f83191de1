//! `tanglewood serve`

use std::io::{Read, Write};
use std::net::ToSocketAddrs;
use std::sync::Arc;
#[cfg(unix)]
use std::task::Poll;

use tanglewood_explorer::{Abilities, Explorer, Model, Parser, Renderer, TreebankFile};
use tanglewood_models::NamedModel;

use super::model_file::{find_model, read_model};
use crate::Outcome;
use crate::arguments::ServeArguments;
use crate::failure::{Failure, Verdict};
use crate::input::{self, Source};
use crate::memory;
use crate::progress::{Progress, say};
use crate::serve::{Guard, Server, serve};
use crate::{pdf, png};

/// What a program can do that a page cannot.
const ABILITIES: Abilities = Abilities {
    unpack: input::unpacked_bytes,
    renderers: &[
        Renderer {
            ending: "png",
            kind: "image/png",
            render: |svg| png::render(svg).map_err(|failure| failure.to_string()),
        },
        Renderer {
            ending: "pdf",
            kind: "application/pdf",
            render: |svg| pdf::render(svg).map_err(|failure| failure.to_string()),
        },
    ],
};

pub fn run(arguments: &ServeArguments) -> Outcome {
    memory::give_back_at_once();
    let model = match (arguments.model.as_deref(), tanglewood_models::default()) {
        (Some(path), _) => Model::Ready(Box::new(parser(&find_model(path)?)?)),
        (None, Some(_)) => Model::Awaited,
        (None, None) => Model::None,
    };
    let sources = input::sources(&arguments.files)?;
    let files = sources.iter().map(read_treebank).collect::<Result<Vec<_>, _>>()?;
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
    if !address.ip().is_loopback() {
        say(format_args!(
            "warning: whoever can reach {address} can use this server and see the files that it was given: there is no \
             password; without --host it is for this machine alone"
        ));
    }
    let explorer = Explorer::new(model, files, ABILITIES);
    let server = Arc::new(Server::new(Guard::new(&arguments.host), explorer, read_built_in));
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
        serve(listener, server, stop).await;
        Ok::<(), Failure>(())
    })?;
    // Work that nobody waits for any more is not waited for.
    runtime.shutdown_background();
    Ok(Verdict::Yes)
}

fn parser(model: &NamedModel) -> Result<Parser, Failure> {
    let (trained, about) = read_model(model)?;
    Parser::new(trained, &about).map_err(|problem| Failure::Other(format!("{}: {problem}", model.name)))
}

/// Reads the model that is built in, when somebody needs it.
fn read_built_in() -> Result<Model, String> {
    let Some(model) = tanglewood_models::default() else { return Ok(Model::None) };
    let parser = parser(&model).map_err(|failure| failure.to_string())?;
    Ok(Model::Ready(Box::new(parser)))
}

fn read_treebank(source: &Source) -> Result<TreebankFile, Failure> {
    let mut bytes = Vec::new();
    let read = source.open(&Progress::hidden())?.read_to_end(&mut bytes);
    read.map_err(|error| Failure::File { doing: "read", file: source.name.clone(), error })?;
    Ok(TreebankFile::new(source.name.clone(), bytes))
}

/// Done at Ctrl-C, and on Unix at a request to terminate, unless that is ignored.
#[cfg(unix)]
fn stop_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let endings = crate::interrupt::endings();
    let mut heard: Vec<_> =
        endings.into_iter().filter_map(|kind| signal(SignalKind::from_raw(kind)).ok()).collect();
    std::future::poll_fn(move |context| {
        match heard.iter_mut().any(|signal| signal.poll_recv(context).is_ready()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        }
    })
}

#[cfg(not(unix))]
async fn stop_signal() {
    let _ = tokio::signal::ctrl_c().await;
}
