//! The program `tanglewood`; see the library beside it.

fn main() -> std::process::ExitCode {
    tanglewood_cli::main()
}
