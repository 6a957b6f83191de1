//! The explorer as a WebAssembly module, for a worker of the page.
//!
//! A page and a module share nothing but memory, so a call has three steps: [`tanglewood_room`] makes room
//! for bytes and says where, the page writes them there, and [`tanglewood_ask`] or [`tanglewood_model`] takes
//! them and leaves an answer, whose place and length the other functions tell. Everything that is asked and
//! answered is what the server takes and gives, so no other interface has to be generated or kept in step.
//!
//! There is one thread. The functions keep what they share in cells of that thread.

use std::cell::{OnceCell, RefCell};

use tanglewood_explorer::{Abilities, Explorer, Model, Parser, Reply};
use tanglewood_nn::Trained;

thread_local! {
    static EXPLORER: OnceCell<Explorer> = const { OnceCell::new() };
    /// What the page has written.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// What the page is to read.
    static ANSWER: RefCell<Reply> = const { RefCell::new(Reply { status: 0, kind: "", bytes: Vec::new() }) };
}

/// Calls with the explorer, which waits for a model to be handed over.
fn with_explorer<T>(call: impl FnOnce(&Explorer) -> T) -> T {
    EXPLORER.with(|explorer| {
        call(explorer.get_or_init(|| Explorer::new(Model::Awaited, Vec::new(), Abilities::default())))
    })
}

fn take_input() -> Vec<u8> {
    INPUT.with(RefCell::take)
}

/// Keeps the answer until the next one, and gives its status.
fn leave(reply: Reply) -> u32 {
    let status = u32::from(reply.status);
    ANSWER.with(|answer| *answer.borrow_mut() = reply);
    status
}

/// Makes room for `bytes` bytes, and says where they are to be written.
#[unsafe(no_mangle)]
pub extern "C" fn tanglewood_room(bytes: usize) -> *mut u8 {
    INPUT.with(|input| {
        let mut input = input.borrow_mut();
        *input = vec![0; bytes];
        input.as_mut_ptr()
    })
}

/// Answers a question: of the bytes that were written, the first `name` are its name, and the others its
/// content. Gives the status of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn tanglewood_ask(name: usize) -> u32 {
    let mut input = take_input();
    let body = input.split_off(name.min(input.len()));
    let name = String::from_utf8_lossy(&input).into_owned();
    leave(with_explorer(|explorer| explorer.answer(&name, body)))
}

/// Takes the bytes that were written for a model. Gives 200, or 422 if they are none; what is wrong is the
/// answer then.
#[unsafe(no_mangle)]
pub extern "C" fn tanglewood_model() -> u32 {
    let read = Trained::read(&take_input()[..]).map_err(|error| error.to_string());
    let parser = read.and_then(|(trained, about)| Parser::new(trained, &about));
    let (status, message) = match parser {
        Ok(parser) => {
            with_explorer(|explorer| explorer.set_model(Model::Ready(Box::new(parser))));
            (200, String::new())
        }
        Err(problem) => (422, problem),
    };
    leave(Reply { status, kind: "text/plain; charset=utf-8", bytes: message.into_bytes() })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn tanglewood_answer() -> *const u8 {
    ANSWER.with(|answer| answer.borrow().bytes.as_ptr())
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn tanglewood_answer_length() -> usize {
    ANSWER.with(|answer| answer.borrow().bytes.len())
}

/// Where the type of its content is said.
#[unsafe(no_mangle)]
pub extern "C" fn tanglewood_kind() -> *const u8 {
    ANSWER.with(|answer| answer.borrow().kind.as_ptr())
}

/// In how many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn tanglewood_kind_length() -> usize {
    ANSWER.with(|answer| answer.borrow().kind.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks as a page does, but for writing through a pointer.
    fn ask(name: &str, body: &str) -> (u32, String) {
        tanglewood_room(name.len() + body.len());
        INPUT.with(|input| input.borrow_mut().copy_from_slice(format!("{name}{body}").as_bytes()));
        let status = tanglewood_ask(name.len());
        let answer = ANSWER.with(|answer| String::from_utf8(answer.borrow().bytes.clone()).unwrap());
        assert_eq!(answer.len(), tanglewood_answer_length());
        (status, answer)
    }

    #[test]
    fn questions_are_answered_and_a_model_is_asked_for() {
        let (status, about) = ask("about", "");
        assert!(status == 200 && about.contains("\"model\":true"), "{about}");
        let (status, tree) = ask("tree", r#"{ "text": "3 4 0 3", "system": "all", "direction": "ltr" }"#);
        assert!(status == 200 && tree.contains("\"covered\":true"), "{tree}");
        let (status, _) = ask("parse", r#"{ "text": "Hello world", "system": "any", "direction": "ltr" }"#);
        assert_eq!(status, 425);
        assert_eq!(ask("nothing", "").0, 404);
        assert_eq!(ask("tree", "no question").0, 400);
    }

    #[test]
    fn what_is_no_model_is_refused() {
        tanglewood_room(7);
        assert_eq!(tanglewood_model(), 422);
        assert!(tanglewood_answer_length() > 0);
    }
}
