//! Engine errors as JavaScript errors with a stable `code`.

/// A JavaScript error whose `code` is one of the engine's own codes.
pub(crate) type JsError = napi::Error<&'static str>;
/// A result with such an error. napi-derive goes by the name `Result`.
pub(crate) type Result<T> = std::result::Result<T, JsError>;

/// Converts an engine error; the message is the engine's.
pub(crate) fn to_js(error: sluice_core::Error) -> JsError {
    JsError::new(error.code(), error.to_string())
}
