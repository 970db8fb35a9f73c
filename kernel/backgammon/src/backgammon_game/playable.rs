//! Backgammon as a game that is read and written.

use tavli_base::text::Quoted;
use tavli_game::{GamePlay, PlayableGame, PositionError, ReadTurn, RulesError};
use tavli_simd::Tier;

use crate::board::{Board, Planes, Position, Reading};
use crate::dice::Roll;
use crate::outcome::Outcome;
use crate::playout::PlayoutError;
use crate::plays::Plays;
use crate::policies::PolicyPair;
use crate::rules::RuleSet;

use super::BackgammonGame;

impl PlayableGame for BackgammonGame {
    const NAME: &'static str = "backgammon";
    const RULES: &'static [&'static str] = &{
        let mut names = [""; RuleSet::ALL.len()];
        let mut rules = 0;
        while rules < names.len() {
            names[rules] = RuleSet::ALL[rules].name();
            rules += 1;
        }
        names
    };
    const OUTCOMES: &'static [tavli_game::GameOutcome] = &{
        let mut outcomes = [tavli_game::GameOutcome::new("", 0); Outcome::COUNT];
        let mut outcome = 0;
        while outcome < outcomes.len() {
            let of = Outcome::ALL[outcome];
            outcomes[outcome] = tavli_game::GameOutcome::new(of.name(), of.points());
            outcome += 1;
        }
        outcomes
    };

    fn by_rules(rules: &str, tier: Tier, seed: u64) -> Result<BackgammonGame, RulesError> {
        let set = rules.parse::<RuleSet>();
        let set = set.map_err(|_| RulesError::for_game::<BackgammonGame>(rules))?;
        let game = BackgammonGame::new(set, PolicyPair::default(), tier, seed);
        Ok(game.expect("the default players are alike"))
    }

    fn start(&self) -> Planes {
        self.rules.start().into()
    }

    fn read(&self, text: &str) -> Result<Planes, PositionError> {
        self.read_turn(text).map(|turn| turn.position)
    }

    fn read_turn(&self, text: &str) -> Result<ReadTurn<Planes>, PositionError> {
        let Reading { position, remark, .. } = Position::read(text).map_err(PositionError::new)?;
        match PlayoutError::check(position.board(), self.rules) {
            // A position in which the game is over is read, too, as `PlayableGame::read` promises.
            Ok(()) | Err(PlayoutError::GameOver { .. }) => Ok(ReadTurn {
                position: (*position.board()).into(),
                chance: position.roll().map(BackgammonGame::chance),
                remark: remark.map(|remark| remark.to_string()),
            }),
            Err(error) => Err(PositionError::new(format_args!("'{}': {error}", Quoted::new(text)))),
        }
    }

    fn text(&self, position: &Planes) -> String {
        Board::from(*position).position_id().to_string()
    }

    fn drawing(&self, position: &Planes) -> String {
        let position = Position::from(Board::from(*position));
        position.diagram().with_checkers(self.rules.checkers()).to_string()
    }

    fn chance(&self, text: &str) -> Option<usize> {
        text.parse().ok().map(BackgammonGame::chance)
    }

    fn chance_text(&self, chance: usize) -> String {
        Roll::ALL[chance].to_string()
    }

    fn moves(&self, position: &Planes, chance: usize, choice: usize) -> String {
        let plays = Plays::new(&Board::from(*position), Roll::ALL[chance], self.rules);
        let play = plays.get(choice).expect("a choice is one of the plays");
        plays.moves(&play).to_string()
    }

    // In one pass: the default implementation would list all plays again for the moves of each.
    fn plays(&self, position: &Planes, chance: usize) -> Vec<GamePlay<Planes>> {
        let of_roll = Plays::new(&Board::from(*position), Roll::ALL[chance], self.rules);
        let plays = of_roll.to_vec();
        let plays = plays.iter().map(|play| GamePlay {
            moves: of_roll.moves(play).to_string(),
            result: play.board().into(),
            hits: Some(play.hits().len()),
        });
        plays.collect()
    }
}
