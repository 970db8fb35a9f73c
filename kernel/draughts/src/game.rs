//! Draughts as a game that can be played out, searched, counted, read and written.

use std::sync::Arc;

use tavli_game::streams::StreamKey;
use tavli_game::{
    Game, GameOutcome, GameSource, GameTranscript, MovesError, Nodes, PlayableGame, PositionError, ReadTurn,
    RulesError, SolvedPositions, SolvedPositionsError,
};
use tavli_simd::{Bmi2, Scalar, Tier, on_tier};

use crate::board::{Position, Side, Square};
use crate::endgames::{Endgames, Solved};
use crate::heuristics;
use crate::pdn;
use crate::playout;
use crate::plays::{self, Play, plays};
use crate::rules::{Captures, Draw, Rules};

/// English draughts, or draughts by other rules, with the playouts of a seed on a tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Draughts {
    rules: Rules,
    tier: Tier,
    key: StreamKey,
}

impl Draughts {
    /// Draughts by these rules, with the playouts of this seed. The tier changes their speed only.
    #[must_use]
    pub fn new(rules: Rules, tier: Tier, seed: u64) -> Draughts {
        Draughts { rules, tier, key: StreamKey::new(seed) }
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    fn play(&self, position: &Position, choice: usize) -> Play {
        plays(position, self.rules)[choice]
    }
}

impl Game for Draughts {
    type Position = Position;

    fn chances(&self) -> &[u32] {
        &[1]
    }

    fn choices(&self, position: &Position, _: usize) -> usize {
        match Bmi2::detect() {
            Some(isa) => plays::count(isa, position, self.rules.captures),
            None => plays::count(Scalar, position, self.rules.captures),
        }
    }

    fn result(&self, position: &Position, _: usize, choice: usize) -> Position {
        match Bmi2::detect() {
            Some(isa) => plays::nth(isa, position, self.rules, choice),
            None => plays::nth(Scalar, position, self.rules, choice),
        }
    }

    fn results(&self, position: &Position, _: usize) -> Vec<Position> {
        plays(position, self.rules).iter().map(|play| play.position).collect()
    }

    fn points(&self, position: &Position) -> Option<i32> {
        plays::points(position, self.rules)
    }

    fn max_points(&self) -> i32 {
        1
    }

    /// The squares that the piece came from and went to. A king that jumps back to where it began has 0.
    fn change(&self, before: &Position, after: &Position) -> u64 {
        let side = before.side();
        u64::from(before.pieces(side) ^ after.pieces(side))
    }

    fn perft(&self, position: &Position, depth: u32) -> Nodes {
        // A drawn game goes no further. If no game can be drawn before the last ply, quiet plies need not be counted.
        let (Draw::Quiet(most) | Draw::KingsOnly(most)) = self.rules.draw;
        let can_be_drawn = u32::from(position.quiet()) + depth > u32::from(most);
        if depth < 2 || can_be_drawn {
            return self.perft_by_results(position, depth);
        }
        let captures = self.rules.captures;
        let nodes = on_tier!(
            self.tier,
            isa => plays::perft(isa, position, depth, captures),
            portable => match Bmi2::detect() {
                Some(isa) => plays::perft(isa, position, depth, captures),
                None => plays::perft(Scalar, position, depth, captures),
            }
        );
        let nodes = u128::from(nodes);
        Nodes { nodes, weighted: nodes }
    }

    fn play_out(&self, source: &mut dyn GameSource<Position>, stop: &dyn Fn() -> bool) {
        playout::play_out(self.rules, self.tier, &self.key, source, stop);
    }
}

impl PlayableGame for Draughts {
    const NAME: &'static str = "draughts";
    const RULES: &'static [&'static str] = Rules::NAMES;
    const OUTCOMES: &'static [GameOutcome] = &GameOutcome::WIN_DRAW_LOSE;

    /// `material` counts a king as a man and a half; it is what the report's minimax player looks at.
    const HEURISTICS: &'static [&'static str] = heuristics::NAMES;

    fn by_rules(rules: &str, tier: Tier, seed: u64) -> Result<Draughts, RulesError> {
        let rules = Rules::named(rules).ok_or_else(|| RulesError::for_game::<Draughts>(rules))?;
        Ok(Draughts::new(rules, tier, seed))
    }

    fn start(&self) -> Position {
        Position::START
    }

    /// Reads a FEN, or a game in PDN as its last position. The plays of the game are checked by the rules of its tag
    /// `Rules`, without one by these rules.
    fn read(&self, text: &str) -> Result<Position, PositionError> {
        Ok(self.read_turn(text)?.position)
    }

    fn read_turn(&self, text: &str) -> Result<ReadTurn<Position>, PositionError> {
        if !pdn::is_game(text) {
            return text.parse::<Position>().map(ReadTurn::from).map_err(PositionError::new);
        }
        let game = pdn::read(text, self.rules).map_err(PositionError::new)?;
        let remark = || {
            let (own, of_game) = (self.rules, game.rules);
            format!("the game was played by {of_game} rules, and its last position is taken by {own} rules")
        };
        Ok(ReadTurn { remark: (game.rules != self.rules).then(remark), ..game.position.into() })
    }

    /// PDN.
    fn transcript(&self, record: &GameTranscript<'_, Position>) -> Option<String> {
        Some(pdn::text(record, self.rules))
    }

    fn text(&self, position: &Position) -> String {
        position.with_quiet(0).to_string()
    }

    /// The plies that count towards a draw stand behind the FEN, as in `B:W21,K30:B1,K7:H12`.
    fn state(&self, position: &Position) -> String {
        position.to_string()
    }

    fn drawing(&self, position: &Position) -> String {
        position.drawing()
    }

    fn chance(&self, _: &str) -> Option<usize> {
        None
    }

    fn chance_text(&self, _: usize) -> String {
        String::new()
    }

    fn moves(&self, position: &Position, _: usize, choice: usize) -> String {
        self.play(position, choice).moves.to_string()
    }

    /// As [`Play::read`].
    fn choice_named(&self, position: &Position, _: usize, moves: &str) -> Result<usize, MovesError> {
        let play = Play::read(moves, position, self.rules).map_err(MovesError::new)?;
        let all = plays(position, self.rules);
        Ok(all.iter().position(|one| *one == play).expect("it is one of them"))
    }

    /// `squares` has the piece on each square by its number, from 1 to 32: 1 for a man of Black's and 2 for a king, -1
    /// and -2 for White's. `side` is 1 if Black is to move and -1 if White is.
    fn numbers(&self, position: &Position) -> Vec<(&'static str, Vec<i32>)> {
        let piece = |square: Square| {
            let is_on = |set: u32| i32::from(set & square.set() != 0);
            let side = is_on(position.pieces(Side::Black)) - is_on(position.pieces(Side::White));
            side * (1 + is_on(position.kings()))
        };
        let side = match position.side() {
            Side::Black => 1,
            Side::White => -1,
        };
        vec![
            ("squares", (1..=32).filter_map(Square::new).map(piece).collect()),
            ("side", vec![side]),
            ("quiet", vec![i32::from(position.quiet())]),
        ]
    }

    fn value(&self, position: &Position, heuristic: usize) -> f64 {
        heuristics::value(position, heuristic)
    }

    /// The bytes of [`Endgames::to_bytes`]. Under a draw rule a position is known if it is drawn, or
    /// is won before the rule can end the game.
    fn solved_positions(&self, bytes: &[u8]) -> Result<Arc<dyn SolvedPositions<Position>>, SolvedPositionsError> {
        if self.rules.captures != Captures::Compulsory {
            return Err(SolvedPositionsError::new(format_args!(
                "endgames are solved for compulsory captures, and by {} rules these are optional: leave them out",
                self.rules
            )));
        }
        let endgames = Endgames::from_bytes(bytes).map_err(SolvedPositionsError::new)?;
        Ok(Arc::new(Solved::new(endgames, self.rules)))
    }
}
