//! Writes the site: the explorer's page with a worker instead of a server, and the documentation as pages.
//!
//! `tanglewood-site REPOSITORY SITE`: the module, the model and the report are put there by
//! `cargo xtask site`.

#[cfg(not(target_family = "wasm"))]
mod documents;
#[cfg(not(target_family = "wasm"))]
mod explorer;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    let arguments: Vec<std::path::PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    let [repository, site] = &arguments[..] else {
        eprintln!("usage: tanglewood-site REPOSITORY SITE");
        return std::process::ExitCode::from(2);
    };
    match explorer::write(site).and_then(|()| documents::write(repository, site)) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write the site: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}

/// It is never run in a browser.
#[cfg(target_family = "wasm")]
fn main() {}
