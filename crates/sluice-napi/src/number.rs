//! Counts across the boundary: JavaScript numbers are doubles.

/// A count from JavaScript: negative and NaN become 0, `Infinity` the largest count, fractions are cut.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
pub(crate) fn to_count(value: f64) -> u64 {
    value as u64
}

/// A count for JavaScript, exact below 2^53.
#[allow(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
pub(crate) fn to_js_count(value: u64) -> f64 {
    value as f64
}
