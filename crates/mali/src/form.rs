//! Which form of the arithmetic runs: a level of vector instructions, or the what-if without
//! half floats.

use isotherm_lanes::Level;

/// The form that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// What the chip does.
    Chip(Level),
    /// Nothing is rounded to half floats: not what the chip does, see [`crate::WhatIf`].
    Full,
}

impl Default for Form {
    fn default() -> Form {
        Form::Chip(Level::current())
    }
}

/// [`isotherm_lanes::dispatch!`] with one more form, [`Form::Full`].
macro_rules! by_form {
    ($(#[$meta:meta])* $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? = $inner:ident;) => {
        $(#[$meta])*
        $vis fn $name(form: $crate::form::Form, $($arg: $ty),*) $(-> $ret)? {
            isotherm_lanes::dispatch! {
                fn rounded($($arg: $ty),*) $(-> $ret)? = $inner::<Lanes>;
            }
            match form {
                $crate::form::Form::Full => $inner::<isotherm_lanes::Full>($($arg),*),
                $crate::form::Form::Chip(level) => rounded(level, $($arg),*),
            }
        }
    };
}
pub(crate) use by_form;

/// The forms that must agree.
#[cfg(test)]
pub(crate) fn forms() -> Vec<Form> {
    Level::available().into_iter().map(Form::Chip).collect()
}
