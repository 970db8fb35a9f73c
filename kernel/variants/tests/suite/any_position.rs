//! Positions that no game need lead to: read or refused, and played as specified.

use tavli_base::NO_STOP;

use tavli_game::{GameSource, GameStart, PlayableGame};
use tavli_simd::Tier;
use tavli_variants::{Fevga, Plakoto, Position};

use crate::support::effort::by_effort;
use crate::support::specification;
use crate::support::specified::{self, Specified};
use crate::support::tiers::tiers;

/// Random numbers below a bound.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = specification::split_mix(self.0, 0);
        (((self.0 >> 32) * bound as u64) >> 32) as usize
    }
}

/// A text of 24 points with checkers thrown on it; most are positions.
fn thrown(random: &mut Random, pins: bool) -> String {
    let mut left = [random.below(16), 15 - random.below(16) / 4];
    // Few points make stacks, and some positions are near their end.
    let (first, last) = [(0, 24), (0, 24), (0, 8), (12, 24), (4, 20)][random.below(5)];
    let often = 1 + random.below(4);
    (0..24)
        .map(|point| {
            let side = random.below(2);
            let number = (1 + random.below(4)).min(left[side]);
            if point < first || point >= last || random.below(4) >= often || number == 0 {
                return "-".to_owned();
            }
            left[side] -= number;
            let letter = if side == 0 { b'A' } else { b'a' } - 1 + number as u8;
            let pin = pins && left[1 - side] > 0 && random.below(4) == 0;
            left[1 - side] -= usize::from(pin);
            format!("{}{}", char::from(letter), if pin { "*" } else { "" })
        })
        .collect()
}

/// One game from a position.
struct One {
    start: Option<GameStart<Position>>,
    end: Option<(i32, u32)>,
}

impl GameSource<Position> for One {
    fn next(&mut self) -> Option<GameStart<Position>> {
        self.start.take()
    }

    fn end(&mut self, _: u64, points: i32, plies: u32) {
        self.end = Some((points, plies));
    }
}

fn check_positions<G: Specified>(rules: &str, pins: bool, number: u64) {
    let mut random = Random(number);
    let game: G = specified::game(rules, Tier::Portable, 5);
    let mut played = 0;
    for _ in 0..number {
        let text = thrown(&mut random, pins);
        let Ok(position) = game.read(&text) else { continue };
        assert_eq!(game.text(&position), text);
        if game.points(&position).is_some() {
            continue;
        }
        played += 1;
        let start = specified::position(&position);
        let roll = random.below(21);
        let dice = specified::dice(&game.chance_text(roll));
        let expected = specification::plays(&start, dice, game.specified_rules());
        let found: Vec<_> = game.results(&position, roll).iter().map(specified::position).collect();
        assert_eq!(found, expected, "{rules} {text} {dice:?}");

        let playouts = specification::Playouts { start, rules: game.specified_rules(), first_roll: None, seed: 5 };
        let record = playouts.play(played);
        for tier in tiers() {
            let game: G = specified::game(rules, tier, 5);
            let start = GameStart { position, chance: None, game: played, tag: 0 };
            let mut one = One { start: Some(start), end: None };
            game.play_out(&mut one, NO_STOP);
            assert_eq!(one.end, Some((record.points, record.plies)), "{rules} {text} on {tier}");
        }
    }
    assert!(played * 4 > number, "only {played} of {number} are positions");
}

#[test]
fn positions_that_no_game_leads_to_are_played_as_specified() {
    let number = by_effort(120, 4000);
    check_positions::<Plakoto>("default", true, number);
    check_positions::<Plakoto>("pinned_blocks_bearoff=no", true, number / 2);
    check_positions::<Fevga>("default", false, number);
    check_positions::<Fevga>("r2=occupied,r3=off,passed=12", false, number / 2);
}

#[test]
fn no_text_makes_the_reader_panic() {
    let mut random = Random(1);
    let characters: Vec<char> = "----AABCOaabco**Pp1é\u{1b}\u{202e} ".chars().collect();
    let (plakoto, fevga): (Plakoto, Fevga) =
        (specified::game("default", Tier::Portable, 1), specified::game("default", Tier::Portable, 1));
    for _ in 0..by_effort(20_000, 1_000_000) {
        let length = 20 + random.below(9);
        // Mostly characters of a position, so that some texts get far.
        let kinds = if random.below(4) == 0 { characters.len() } else { 15 };
        let text: String = (0..length).map(|_| characters[random.below(kinds)]).collect();
        if let Ok(position) = plakoto.read(&text) {
            assert_eq!(plakoto.text(&position), text);
        }
        if let Ok(position) = fevga.read(&text) {
            assert_eq!(fevga.text(&position), text);
        }
    }
}
