//! The two games as games.

use core::fmt;
use std::sync::Arc;

use tavli_game::streams::StreamKey;
use tavli_game::{
    BothHome, Game, GameOutcome, GameSource, Heuristic, NetError, PlayableGame, PositionError, RulesError, pick,
};
use tavli_simd::Tier;

use crate::nets::{NetEvaluator, NetFile};
use crate::position::{HOME_AND_OFF, POINTS, Position, START, SideCheckers};
use crate::rolls::{self, ROLLS, WEIGHTS};
use crate::scalar;
use crate::variant::{Variant, rule_given_twice};
use crate::{drawing, notation, position_text, tavli3d};

/// The rating whose value is half a point: as large as the greatest steps of the evaluation, so that small steps still
/// change the value.
const MIDDLE_RATING: f64 = 1e6;

/// A game of Plakoto or Fevga by some rules, with the playouts of a seed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct VariantGame<R> {
    rules: R,
    tier: Tier,
    key: StreamKey,
}

impl<R: Variant> VariantGame<R> {
    /// The game by these rules, with the playouts of this seed. The tier changes their speed only.
    #[must_use]
    pub fn with_rules(rules: R, tier: Tier, seed: u64) -> VariantGame<R> {
        VariantGame { rules, tier, key: StreamKey::new(seed) }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &R {
        &self.rules
    }

    /// The rating of a position by Tavli3D 0.3 for the player who has just played, not the one on roll: the higher the
    /// better.
    #[must_use]
    pub fn tavli3d_rating(&self, position: &Position) -> i64 {
        tavli3d::rating(&self.rules, position)
    }

    /// The highest [rating](VariantGame::tavli3d_rating) of a choice after a chance, and the choices that have it: one
    /// of them, evenly drawn, is what the player `minimax:1:tavli3d` picks where none ends the game. A player of such
    /// choices makes 1.69 points a game against uniform play in Plakoto, and 0.97 in Fevga.
    #[must_use]
    pub fn tavli3d_best(&self, position: &Position, chance: usize) -> (i64, Vec<usize>) {
        tavli3d::best(&self.rules, position, chance)
    }

    /// The position, seen by the other player, that Tavli3D 0.3 moved to after a chance, whose larger die was given to
    /// it first or last. By its own rules this may be a position that no choice leads to.
    #[must_use]
    pub fn tavli3d_move(&self, position: &Position, chance: usize, larger_first: bool) -> Position {
        let [high, low] = ROLLS[chance].map(usize::from);
        let dice = if larger_first { [high, low] } else { [low, high] };
        tavli3d::think(&self.rules, position, dice)
    }
}

impl<R: Variant> fmt::Debug for VariantGame<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(R::NAME).field("rules", &self.rules).field("tier", &self.tier).finish()
    }
}

impl<R: Variant> Game for VariantGame<R> {
    type Position = Position;

    fn chances(&self) -> &[u32] {
        &WEIGHTS
    }

    fn choices(&self, position: &Position, chance: usize) -> usize {
        self.rules.count(position, chance)
    }

    fn result(&self, position: &Position, chance: usize, choice: usize) -> Position {
        self.rules.result(position, chance, choice)
    }

    fn results(&self, position: &Position, chance: usize) -> Vec<Position> {
        self.rules.results(position, chance)
    }

    fn points(&self, position: &Position) -> Option<i32> {
        // The play that led here was the other player's.
        scalar::points_won(&self.rules, position).map(|won| -won)
    }

    fn max_points(&self) -> i32 {
        2
    }

    fn possible_points(&self, position: &Position) -> [i32; 2] {
        position.possible_points(R::PINS)
    }

    fn play_out(&self, source: &mut dyn GameSource<Position>, stop: &dyn Fn() -> bool) {
        self.rules.play_out(self.tier, &self.key, source, stop);
    }
}

impl<R: Variant> PlayableGame for VariantGame<R> {
    const NAME: &'static str = R::NAME;
    const RULES: &'static [&'static str] = R::RULES;
    const OUTCOMES: &'static [GameOutcome] = R::OUTCOMES;
    const HEURISTICS: &'static [&'static str] = &["tavli3d", "ends"];
    const PLAYERS: &'static [&'static str] = &["tavli3d"];

    fn by_rules(rules: &str, tier: Tier, seed: u64) -> Result<VariantGame<R>, RulesError> {
        let twice = rule_given_twice(rules);
        match (R::named(rules), twice) {
            (Some(named), None) => Ok(VariantGame::with_rules(named, tier, seed)),
            // An option that the game does not have comes first.
            (named, twice) => Err(RulesError {
                twice: named.and(twice).map(str::to_owned),
                known: R::OPTIONS,
                ..RulesError::for_game::<Self>(rules)
            }),
        }
    }

    fn start(&self) -> Position {
        Position::start()
    }

    fn read(&self, text: &str) -> Result<Position, PositionError> {
        position_text::read(&self.rules, text)
    }

    fn text(&self, position: &Position) -> String {
        position_text::write::<R>(position)
    }

    fn drawing(&self, position: &Position) -> String {
        drawing::draw::<R>(position)
    }

    fn reason_of_end(&self, position: &Position) -> Option<String> {
        Some(match self.rules.won_by_last_play(position)? {
            0 => format!("both mothers, on points 1 and {START}, are pinned: it is a tie"),
            _ => format!("the mother on point {START} is pinned"),
        })
    }

    fn chance(&self, text: &str) -> Option<usize> {
        rolls::read(text)
    }

    fn chance_text(&self, chance: usize) -> String {
        ROLLS[chance].map(|die| die.to_string()).concat()
    }

    fn moves(&self, position: &Position, chance: usize, choice: usize) -> String {
        let after = self.result(position, chance, choice);
        notation::moves::<R>(position, ROLLS[chance], &after)
    }

    /// Points with own checkers are positive in `points`, the opponent's negative; `pinned` has a 1 where a checker of
    /// the other side is pinned. `off` and `pips` are those of the player on roll and of the other.
    fn numbers(&self, position: &Position) -> Vec<(&'static str, Vec<i32>)> {
        let (own, opponent) = (position.own(), position.opponent());
        let owner = |point: usize| own.free(point) as i32 - opponent.free(R::point_across(point)) as i32;
        let is_pinned = |point: usize| own.is_pinned(point) || opponent.is_pinned(R::point_across(point));
        vec![
            ("points", (1..=POINTS).map(owner).collect()),
            ("pinned", (1..=POINTS).map(|point| i32::from(is_pinned(point))).collect()),
            ("off", vec![own.off() as i32, opponent.off() as i32]),
            ("pips", vec![own.pips() as i32, opponent.pips() as i32]),
        ]
    }

    /// The rating of Tavli3D between -1 and 1, in the same order: no value exceeds that of a single win.
    fn value(&self, position: &Position, heuristic: usize) -> f64 {
        if Self::HEURISTICS[heuristic] == "ends" {
            return 0.0;
        }
        let rating = self.tavli3d_rating(position) as f64;
        -rating / (rating.abs() + MIDDLE_RATING)
    }

    /// The choice of Tavli3D 0.3 itself: its [move](VariantGame::tavli3d_move), and where no choice leads there, one of
    /// those that it rates highest. The program gets its dice in the order of the throw, so a bit of `fraction` decides
    /// which comes first.
    fn choice_of(&self, player: usize, position: &Position, chance: usize, fraction: u32) -> usize {
        assert!(player < Self::PLAYERS.len(), "a player of {}", R::NAME);
        // The lowest bit, since `pick` draws by the highest.
        let moved = self.tavli3d_move(position, chance, fraction & 1 == 0);
        let choice = self.results(position, chance).iter().position(|result| *result == moved);
        choice.unwrap_or_else(|| {
            let (_, best) = self.tavli3d_best(position, chance);
            best[pick(fraction, best.len())]
        })
    }

    fn both_home(position: &Position) -> Option<BothHome> {
        let sides = [&position.own, &position.opponent];
        let is_home =
            |side: &SideCheckers| side.pinned == 0 && side.occupied() != 0 && side.occupied() & !HOME_AND_OFF == 0;
        let checkers = |side: &SideCheckers| core::array::from_fn(|point| side.free(point + 1) as u8);
        sides.iter().all(|side| is_home(side)).then(|| sides.map(checkers))
    }

    fn has_rules_of_nets(&self) -> bool {
        Some(self.rules) == R::named(R::RULES[0])
    }

    /// The bytes are those of a [`NetFile`].
    fn net(&self, bytes: &[u8]) -> Result<Arc<dyn Heuristic<Position>>, NetError> {
        let NetFile { net, .. } = NetFile::read(bytes)?;
        let game = net.encoder().game();
        match game == Self::NAME {
            true => Ok(Arc::new(NetEvaluator::new(net, self.tier))),
            false => Err(NetError::new(format_args!("its net values positions of {game}"))),
        }
    }
}
