//! The fuzz targets' bodies over seeded random bytes: `SLUICE_FUZZ_CASES` cases each (default 1,500), from
//! `SLUICE_FUZZ_SEED` on.

#[path = "fuzz/bodies.rs"]
mod bodies;

/// Pieces that random bytes would rarely form.
const PIECES: &[&str] = &[
    "head ",
    "tail ",
    "grep ",
    "rg ",
    "less",
    "| ",
    "-n ",
    "-c",
    "-5",
    "+3",
    "-E ",
    "-i",
    "-o ",
    "-v ",
    "-m1 ",
    "-A2 ",
    "-w ",
    "-x ",
    "--",
    "--color=always ",
    "'",
    "\"",
    "\\",
    "$'",
    "\\(",
    "\\)",
    "(",
    ")",
    "[",
    "]",
    "[^",
    "[:alpha:]",
    "{1,3}",
    "\\{2\\}",
    "*",
    "+",
    "?",
    ".",
    "^",
    "$",
    "\\<",
    "\\b",
    "\\w",
    "|",
    "\\|",
    "a",
    "b",
    "é",
    "\n",
    "\n\n",
    "**",
    "/",
    "!",
    "{",
    "}",
    ",",
    "a.txt",
    "\u{1f6e1}",
    "18446744073709551616",
    "0",
    "K",
    "\0",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % n as u64).unwrap_or(0)
    }

    fn bytes(&mut self) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..self.below(4)).map(|_| self.below(256) as u8).collect();
        for _ in 0..self.below(24) {
            match self.below(8) {
                0 => bytes.push(self.below(256) as u8),
                1 => bytes.push(0xff),
                _ => bytes.extend_from_slice(PIECES[self.below(PIECES.len())].as_bytes()),
            }
        }
        bytes
    }
}

#[test]
fn every_body_holds() {
    let number = |name: &str, default| {
        std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok()).unwrap_or(default)
    };
    let (cases, seed) = (number("SLUICE_FUZZ_CASES", 1_500), number("SLUICE_FUZZ_SEED", 1));
    for (name, body) in bodies::BODIES {
        for case in seed..seed + cases {
            let data = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15)).bytes();
            let outcome = std::panic::catch_unwind(|| body(&data));
            assert!(outcome.is_ok(), "{name}, SLUICE_FUZZ_SEED={case}: {data:?}");
        }
    }
}
