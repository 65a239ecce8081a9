//! Links the addon against Node's symbols.

fn main() {
    napi_build::setup();
}
