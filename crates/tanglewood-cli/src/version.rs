//! `tanglewood --version --verbose`: what this program was built from, and what it can do here.

use std::ffi::OsString;

use tanglewood_nn::Instructions;

/// True if and only if nothing but this is asked for, in either order.
pub fn is_asked_for(arguments: &[OsString]) -> bool {
    let is_version = |argument: &OsString| argument == "--version" || argument == "-V";
    match arguments {
        [_, first, second] => {
            (is_version(first) && second == "--verbose") || (first == "--verbose" && is_version(second))
        }
        _ => false,
    }
}

/// The lines to print.
pub fn details() -> String {
    let commit = option_env!("TANGLEWOOD_COMMIT").unwrap_or("not known");
    let features = if cfg!(feature = "en") { "en" } else { "none" };
    let (used, widest) = (Instructions::current().name(), Instructions::widest().name());
    let instructions = match used == widest {
        true => used.to_owned(),
        false => format!("{used}, of {widest}"),
    };
    let built_in = tanglewood_models::known().into_iter().filter(|model| model.path().is_none());
    let models: Vec<String> = built_in.map(|model| model.name).collect();
    let models = if models.is_empty() { "none".to_owned() } else { models.join(", ") };
    format!(
        "tanglewood {}\ncommit: {commit}\nbuild: {}, {}-{}\nfeatures: {features}\ninstructions: {instructions}\n\
         models built in: {models}\n",
        env!("CARGO_PKG_VERSION"),
        if cfg!(debug_assertions) { "debug" } else { "release" },
        std::env::consts::ARCH,
        std::env::consts::OS,
    )
}
