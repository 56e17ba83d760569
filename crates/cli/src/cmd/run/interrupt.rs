//! Ctrl-C while a program runs.

use libc::c_int;

/// As long as this lives Ctrl-C ends the program, which gets it too, and not us: its files are
/// still to be removed, and its recording may be wanted.
pub struct Interrupts(libc::sighandler_t);

impl Interrupts {
    /// Begins. A handler goes when a program is started, so that the child's Ctrl-C is as ever.
    pub fn left_to_the_program() -> Interrupts {
        let handler = nothing as extern "C" fn(c_int) as libc::sighandler_t;
        // SAFETY: the handler does nothing, which is allowed anywhere.
        let old = unsafe { libc::signal(libc::SIGINT, handler) };
        if old == libc::SIG_IGN {
            // Whoever started us wants it ignored, by the program too.
            // SAFETY: this is what it was before.
            unsafe { libc::signal(libc::SIGINT, old) };
        }
        Interrupts(old)
    }
}

impl Drop for Interrupts {
    fn drop(&mut self) {
        if self.0 != libc::SIG_ERR {
            // SAFETY: this is what it was before.
            unsafe { libc::signal(libc::SIGINT, self.0) };
        }
    }
}

extern "C" fn nothing(_: c_int) {}
