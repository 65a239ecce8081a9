#![no_main]

#[path = "../../crates/sluice-core/tests/fuzz/bodies.rs"]
#[allow(dead_code)]
mod bodies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bodies::patterns(data));
