//! `tanglewood man`

use std::fs;
use std::io::{self, Write};

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::Outcome;
use crate::arguments::{Arguments, ManArguments};
use crate::failure::{Failure, Verdict};
use crate::output::Output;

pub fn run(arguments: &ManArguments) -> Outcome {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).map_err(|error| Failure::File {
        doing: "make the folder",
        file: folder.display().to_string(),
        error,
    })?;
    for command in pages() {
        let name = command.get_display_name().unwrap_or_else(|| command.get_name());
        let mut out = Output::to(Some(&folder.join(format!("{name}.1"))), [])?;
        out.write_all(&source(&command)?)?;
        out.finish()?;
    }
    Ok(Verdict::Yes)
}

/// The program and its commands, but those that are not listed in its help.
fn pages() -> Vec<Command> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    // Commands know the program's name after this.
    program.build();
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: Vec<Command> = commands.cloned().collect();
    std::iter::once(program).chain(commands).collect()
}

/// A page in the language of `man`.
fn source(command: &Command) -> io::Result<Vec<u8>> {
    let page = Man::new(command.clone()).source(concat!("tanglewood ", env!("CARGO_PKG_VERSION")));
    let mut source = Vec::new();
    page.render_title(&mut source)?;
    page.render_name_section(&mut source)?;
    page.render_synopsis_section(&mut source)?;
    page.render_description_section(&mut source)?;
    page.render_options_section(&mut source)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut source)?;
    }
    if let Some(examples) = command.get_after_help() {
        source.extend(as_typed("EXAMPLES AND NOTES", &examples.to_string()).bytes());
    }
    Ok(source)
}

/// A section whose lines stay as they are.
fn as_typed(title: &str, text: &str) -> String {
    let mut section = format!(".SH {title}\n.nf\n");
    for line in text.lines() {
        // A line that begins with one of these would be a command.
        if line.starts_with(['.', '\'']) {
            section += "\\&";
        }
        section += &line.replace('\\', "\\e").replace('-', "\\-");
        section.push('\n');
    }
    section + ".fi\n"
}
