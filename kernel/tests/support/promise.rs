//! The promise of the playouts, written out: which words a game draws, and what it does with them.

use tavli::plays::Plays;
use tavli::{Board, FirstRoll, Outcome, Playouts, Record, Roll, RuleSet, Win};

/// The state of SplitMix64 and its output function, from <https://prng.di.unimi.it/splitmix64.c>.
fn split_mix_output(state: u64) -> u64 {
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Output number `n`, counting from 0, of SplitMix64 started at `state`.
fn split_mix(state: u64, n: u64) -> u64 {
    let steps = n.wrapping_add(1);
    split_mix_output(state.wrapping_add(steps.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// xoshiro128++, from <https://prng.di.unimi.it/xoshiro128plusplus.c>.
pub(crate) struct Stream([u32; 4]);

impl Stream {
    pub(crate) fn new(seed: u64, game: u64) -> Stream {
        let a = split_mix(split_mix(seed, 0), game);
        let b = split_mix(split_mix(seed, 1), game);
        Stream([a as u32, (a >> 32) as u32, b as u32 | 1, (b >> 32) as u32])
    }

    pub(crate) fn next(&mut self) -> u32 {
        let [s0, s1, s2, s3] = &mut self.0;
        let word = s0.wrapping_add(*s3).rotate_left(7).wrapping_add(*s0);
        let t = *s1 << 9;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= t;
        *s3 = s3.rotate_left(11);
        word
    }
}

/// What the winner of the last play has won, if the last play won.
fn win(rules: RuleSet, after: &Board) -> Option<Win> {
    let (winner, loser) = (after.opponent().counts(), after.own().counts());
    match rules {
        RuleSet::McGammon => winner[7..].iter().all(|&n| n == 0).then_some(Win::Single),
        RuleSet::Backgammon if winner.iter().any(|&n| n > 0) => None,
        RuleSet::Backgammon => {
            let on_board: u8 = loser.iter().sum();
            Some(if on_board < 15 {
                Win::Single
            } else if loser[19..].iter().all(|&n| n == 0) {
                Win::Gammon
            } else {
                Win::Backgammon
            })
        }
    }
}

/// One game, and the number of plays it offered.
pub(crate) fn play(playouts: &Playouts, game: u64) -> (Record, u64) {
    let mut stream = Stream::new(playouts.seed(), game);
    let throws: Vec<Roll> = (1..=6)
        .flat_map(|first| (1..=6).map(move |second| Roll::new(first, second).expect("dice")))
        .collect();
    let mut rolls = match playouts.first_roll() {
        FirstRoll::Any => throws.clone(),
        FirstRoll::Open => Roll::ALL
            .into_iter()
            .filter(|roll| !roll.is_double())
            .collect(),
        FirstRoll::Given(roll) => vec![roll],
        FirstRoll::Stratified => vec![throws[(game % 36) as usize]],
    };
    let mut board = *playouts.start();
    let mut offered = 0;
    for ply in 1.. {
        let product = u64::from(stream.next()) * rolls.len() as u64;
        let (throw, fraction) = (product >> 32, product & 0xffff_ffff);
        let plays = Plays::of_rules(&board, rolls[throw as usize], playouts.rules());
        let index = (fraction * plays.len() as u64) >> 32;
        board = plays.get(index as usize).expect("an index").board();
        offered += plays.len() as u64;
        rolls.clone_from(&throws);
        if ply == 1 && playouts.first_roll() == FirstRoll::Stratified {
            rolls = vec![throws[((game / 36 + game % 36) % 36) as usize]];
        }

        let outcome = win(playouts.rules(), &board).map(|win| Outcome::new(win, ply % 2 == 1));
        if outcome.is_some() || playouts.truncation().is_some_and(|most| ply == most.get()) {
            let record = Record {
                game,
                outcome,
                plies: ply,
                board,
            };
            return (record, offered);
        }
    }
    unreachable!("a game ends before the number of its plies does")
}
