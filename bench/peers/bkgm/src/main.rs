//! Random games by bkgm: `tavli-peer-bkgm SECONDS SEED` plays for that time on one thread and writes a line of JSON, as
//! bench/peers/README.md describes.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use bkgm::variants::BACKGAMMON;
use bkgm::{ClassicRules, Dice, GameState, State, legal_positions_with};

/// A plain xorshift generator: the choice of plays must not cost what is compared.
struct Random(u64);

impl Random {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}

/// The version of bkgm that was built: the one that the lock file names.
fn version() -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let package = lock.split("[[package]]").find(|package| package.contains("name = \"bkgm\""));
    let line = package.and_then(|package| package.lines().find_map(|line| line.strip_prefix("version = ")));
    line.map_or("unknown", |version| version.trim_matches('"'))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (seconds, seed) = match arguments.as_slice() {
        [seconds, seed] => (seconds.parse::<f64>(), seed.parse::<u64>()),
        _ => {
            eprintln!("usage: tavli-peer-bkgm SECONDS SEED");
            return ExitCode::from(2);
        }
    };
    let (Ok(seconds), Ok(seed)) = (seconds, seed) else {
        eprintln!("SECONDS is a number and SEED a whole number");
        return ExitCode::from(2);
    };
    let mut random = Random(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15));
    let (mut games, mut plies) = (0_u64, 0_u64);
    let time = Duration::from_secs_f64(seconds);
    let start = Instant::now();
    while start.elapsed() < time {
        let mut position = BACKGAMMON;
        while position.game_state() == GameState::Ongoing {
            let dice = Dice::new(random.below(6) + 1, random.below(6) + 1);
            let plays = legal_positions_with::<ClassicRules, 15>(position, &dice);
            position = plays[random.below(plays.len())];
            plies += 1;
        }
        games += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{{\"peer\": \"bkgm\", \"version\": \"{}\", \"games\": {games}, \"plies\": {plies}, \
         \"seconds\": {seconds}, \"differs\": \"lists all results of a roll, some of them twice when bearing \
         off, and draws from the list\"}}",
        version()
    );
    ExitCode::SUCCESS
}
