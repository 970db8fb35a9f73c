//! `/api/v1/getmoves` as bgweb-api answers it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tavli::evaluation::RankedPlay;
use tavli::plays::Moves;
use tavli::{Board, Plays, Roll, RuleSet};

use super::refusal::{Body, Refusal};
use super::server::Server;

/// The request. As in its specification, members that it does not name are passed over.
#[derive(Deserialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) struct MoveArgs {
    board: Layouts,
    #[serde(default)]
    cubeful: bool,
    dice: [u8; 2],
    max_moves: Option<usize>,
    player: Player,
    #[serde(default = "yes")]
    score_moves: bool,
}

#[derive(Deserialize, Debug)]
struct Layouts {
    x: Layout,
    o: Layout,
}

/// The checkers of a player on his own points 1 to 24 and the bar.
type Layout = BTreeMap<String, u8>;

#[derive(Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Player {
    X,
    O,
}

fn yes() -> bool {
    true
}

#[derive(Serialize)]
pub(super) struct Move {
    play: Vec<CheckerPlay>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evaluation: Option<EvaluationJson>,
}

#[derive(Serialize)]
struct CheckerPlay {
    from: String,
    to: String,
}

#[derive(Serialize)]
struct EvaluationJson {
    eq: f64,
    /// The equity minus the best play's, 0 or below.
    diff: f64,
    info: Info,
    probability: Shares,
}

#[derive(Serialize)]
struct Info {
    cubeful: bool,
    /// Plies looked at: 1 without looking ahead.
    plies: u32,
}

#[derive(Serialize)]
struct Shares {
    win: f64,
    #[serde(rename = "winG")]
    win_gammon: f64,
    #[serde(rename = "winBG")]
    win_backgammon: f64,
    lose: f64,
    #[serde(rename = "loseG")]
    lose_gammon: f64,
    #[serde(rename = "loseBG")]
    lose_backgammon: f64,
}

fn counts(layout: &Layout) -> Result<[u8; 26], Refusal> {
    let mut counts = [0; 26];
    for (name, &checkers) in layout {
        let place = match name.as_str() {
            "bar" => Some(25),
            point => point.parse().ok().filter(|place| (1..=24).contains(place)),
        };
        let wrong = || {
            Refusal::invalid(format_args!("'{name}' is not a point: points are 1 to 24, and bar")).with_field("board")
        };
        let place: usize = place.ok_or_else(wrong)?;
        counts[place] += checkers;
    }
    Ok(counts)
}

fn steps(moves: &Moves) -> Vec<CheckerPlay> {
    let name = |point: u8, end: &str| match point {
        0 | 25 => end.to_owned(),
        _ => point.to_string(),
    };
    let steps = moves.steps().iter();
    steps.map(|step| CheckerPlay { from: name(step.from, "bar"), to: name(step.to, "off") }).collect()
}

impl EvaluationJson {
    fn new(ranked: &RankedPlay, best: f64) -> EvaluationJson {
        let value = &ranked.play.value;
        let [win, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon] =
            [1, 2, 3, -1, -2, -3].map(|points| value.at_least(points));
        EvaluationJson {
            eq: ranked.equity(),
            diff: ranked.equity() - best,
            info: Info { cubeful: ranked.cubeful.is_some(), plies: ranked.play.plies + 1 },
            probability: Shares { win, win_gammon, win_backgammon, lose, lose_gammon, lose_backgammon },
        }
    }
}

/// `POST /api/v1/getmoves`.
pub(super) async fn getmoves(
    State(server): State<Arc<Server>>,
    Body(arguments): Body<MoveArgs>,
) -> Result<Json<Vec<Move>>, Refusal> {
    let MoveArgs { board: Layouts { x, o }, cubeful, dice: [first, second], max_moves, player, score_moves } =
        arguments;
    let (own, opponent) = match player {
        Player::X => (x, o),
        Player::O => (o, x),
    };
    let board = Board::new(&counts(&own)?, &counts(&opponent)?);
    let board = board.map_err(|error| Refusal::invalid(error).with_field("board"))?;
    let roll = Roll::new(first, second).map_err(|error| Refusal::invalid(error).with_field("dice"))?;
    let answer = move |mut engine: tavli::engine::Engine| {
        engine.set_cubeful(cubeful);
        if !score_moves {
            let plays = Plays::new(&board, roll, RuleSet::Backgammon);
            let plays = plays.to_vec().iter().map(|play| plays.moves(play)).collect::<Vec<_>>();
            return Ok(plays.into_iter().map(|moves| (moves, None)).collect());
        }
        let ranked = engine.plays(&board.into(), roll)?;
        if ranked.cancelled {
            return Err(Refusal::interrupted());
        }
        let best = ranked.plays.first().map_or(0.0, RankedPlay::equity);
        let plays = ranked.plays.iter();
        Ok(plays.map(|play| (play.play.moves, Some(EvaluationJson::new(play, best)))).collect())
    };
    let plays: Vec<(Moves, Option<EvaluationJson>)> = server.ask(answer).await?;
    // A player who cannot move gets an empty list.
    let plays = plays.into_iter().filter(|(moves, _)| !moves.steps().is_empty());
    let moves = plays.map(|(moves, evaluation)| Move { play: steps(&moves), evaluation });
    Ok(Json(moves.take(max_moves.unwrap_or(usize::MAX)).collect()))
}
