//! Whether a signal was ignored when the program started: `nohup` arranges that for SIGHUP, and a shell
//! without job control for SIGINT of what runs in the background. Such a signal has to stay ignored.
//!
//! The standard library cannot be asked for this, so the operating system is, which is unsafe by its nature.

use std::mem::MaybeUninit;
use std::ptr;

/// True if and only if the signal does nothing now.
#[allow(unsafe_code)]
pub fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, which is null, `sigaction` changes nothing and writes the present one to
    // where the last argument points: to memory of that type that nobody else knows of. All zeros are a valid
    // value of the type, a structure of integers and perhaps a function pointer that may be null, so it is
    // initialised whatever the call did.
    let (result, action) =
        unsafe { (libc::sigaction(signal, ptr::null(), action.as_mut_ptr()), action.assume_init()) };
    result == 0 && action.sa_sigaction == libc::SIG_IGN
}
