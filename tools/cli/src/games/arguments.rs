//! Arguments that the commands of all games share.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use tavli::file;
use tavli::game::{
    Heuristic, NamedGame, SolvedPositions, built_in_net, built_in_nets, read_net, read_solved_positions,
    split_look_ahead,
};
use tavli::search::{Agent, LookAhead, Nets};
use tavli::text::Quoted;

use crate::arguments::OF_OTHERS;
use crate::failure::Failure;

/// Solved positions.
#[derive(Args, Clone, Debug)]
pub(crate) struct Endgames {
    /// Solved endgames, a file of tavli solve: searches take their values where they reach them
    #[arg(long, value_name = "FILE", help_heading = OF_OTHERS)]
    endgames: Option<PathBuf>,
}

/// The solved positions of a game.
pub(crate) type Solved<G> = Option<Arc<dyn SolvedPositions<<G as tavli::game::Game>::Position>>>;

impl Endgames {
    /// Reads the file, if there is one.
    pub(crate) fn read<G: NamedGame>(&self, game: &G) -> Result<Solved<G>, Failure> {
        endgames(game, self.endgames.as_deref())
    }
}

/// Reads the solved positions in the file of `--endgames`, if there is one.
pub(crate) fn endgames<G: NamedGame>(game: &G, path: Option<&Path>) -> Result<Solved<G>, Failure> {
    let read = |path: &Path| {
        let cannot = |reason: String| Failure::usage(format_args!("--endgames {}: {reason}", path.display()));
        let file = file::read(path, file::TABLE).map_err(|error| cannot(error.to_string()))?;
        read_solved_positions(game, &file).map_err(|error| cannot(error.to_string()))
    };
    path.map(read).transpose()
}

/// The built-in nets, each with its games: `strong of plakoto, fevga`.
pub(crate) fn list_of_nets() -> String {
    let mut names: Vec<&str> = built_in_nets().map(|(_, name)| name).collect();
    names.dedup();
    let of_games = names.iter().map(|name| {
        let games = built_in_nets().filter(|(_, other)| other == name);
        let games: Vec<&str> = games.map(|(game, _)| game).collect();
        format!("{name} of {}", games.join(", "))
    });
    of_games.collect::<Vec<_>>().join("; ")
}

/// What else than its own evaluators a game takes: its built-in nets, and files.
pub(crate) fn nets_of<G: NamedGame>() -> String {
    let names = built_in_nets().filter(|(game, _)| *game == G::NAME);
    let names = names.map(|(_, name)| format!("{name}, ")).collect::<String>();
    let most = LookAhead::<G>::MOST_PLIES;
    format!("{names}or FILE, a net that tavli train wrote, also with +1ply to +{most}ply behind it")
}

/// A net, and how many plies it looks ahead.
pub(crate) struct NetPlayer<'a, P> {
    pub(crate) name: &'a str,
    pub(crate) net: Arc<dyn Heuristic<P>>,
    pub(crate) plies: u32,
}

/// The net of a text such as `strong`, `FILE` or `strong+2ply`; `None` if it names none.
pub(crate) fn net_player<'a, G: NamedGame>(
    game: &G,
    text: &'a str,
) -> Result<Option<NetPlayer<'a, G::Position>>, Failure> {
    if let Some(net) = net(game, text)? {
        let (name, plies) = (text, 0);
        return Ok(Some(NetPlayer { name, net, plies }));
    }
    let Some((name, plies)) = split_look_ahead(text) else {
        return Ok(None);
    };
    let Some(net) = net(game, name)? else {
        return Ok(None);
    };
    let most = LookAhead::<G>::MOST_PLIES;
    match plies.parse() {
        Ok(plies) if (1..=most).contains(&plies) => Ok(Some(NetPlayer { name, net, plies })),
        _ => Err(Failure::usage(format_args!(
            "'+{}ply' of '{}': nets of {} look 1 to {most} plies ahead, +1ply to +{most}ply",
            Quoted::new(plies),
            Quoted::new(text),
            G::NAME
        ))),
    }
}

/// The built-in net of a name, or the one in a file; `None` if there is neither.
fn net<G: NamedGame>(game: &G, name: &str) -> Result<Option<Arc<dyn Heuristic<G::Position>>>, Failure> {
    match built_in_net(game, name) {
        None if Path::new(name).exists() => net_in_file(game, name).map(Some),
        built_in => Ok(built_in),
    }
}

/// Reads the file of a net.
fn net_in_file<G: NamedGame>(game: &G, path: &str) -> Result<Arc<dyn Heuristic<G::Position>>, Failure> {
    let cannot = |reason: &dyn std::fmt::Display| {
        Failure::usage(format_args!(
            "cannot use {} as a net of {}: {reason}",
            Quoted::new(path),
            G::NAME
        ))
    };
    let file = file::read(Path::new(path), file::RECORD).map_err(|error| cannot(&error))?;
    read_net(game, &file).map_err(|error| cannot(&error))
}

/// The player of a text: an agent of the game, or a net, which may look ahead, or stand in place of an evaluator. Nets
/// are added to `nets`.
pub(crate) fn agent<G: NamedGame>(game: &G, text: &str, nets: &mut Nets<G::Position>) -> Result<Agent, Failure> {
    let error = match Agent::read::<G>(text) {
        Ok(agent) => return Ok(agent),
        Err(error) => error,
    };
    let by_minimax = text.match_indices(':').nth(1).and_then(|(second, _)| {
        let (agent, name) = (Agent::read::<G>(&text[..second]).ok()?, &text[second + 1..]);
        Some((agent.by_net(name)?, name))
    });
    let found = match by_minimax {
        Some((agent, name)) => net(game, name)?.map(|net| (agent, name, net)),
        None => net_player(game, text)?.map(|NetPlayer { name, net, plies }| {
            let agent = Agent::Net {
                name: name.to_owned(),
                plies,
            };
            (agent, name, net)
        }),
    };
    match found {
        Some((agent, name, net)) => {
            nets.insert(name.to_owned(), net);
            Ok(agent)
        }
        None => Err(Failure::usage(format_args!(
            "{error}; {}; a net may stand for EVALUATOR behind minimax:D, too",
            nets_of::<G>()
        ))),
    }
}

/// Refuses a position whose value the tables have.
pub(crate) fn is_unsolved<G: NamedGame>(game: &G, tables: &Solved<G>, position: &G::Position) -> Result<(), Failure> {
    match tables.as_ref().and_then(|tables| tables.known(position)) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format_args!(
            "the file of --endgames has the value of {}: tavli solve {} --table FILE POSITION prints it",
            game.text(position),
            G::NAME
        ))),
    }
}

/// Reads a position, or takes the start of a game if there is none, or `start`.
pub(crate) fn position<G: NamedGame>(game: &G, text: Option<&str>) -> Result<G::Position, Failure> {
    match text {
        None | Some("start") => Ok(game.start()),
        Some(text) => game.read(text.trim()).map_err(Failure::usage),
    }
}

/// The text of all that a position holds, if its usual text leaves something out.
pub(crate) fn state<G: NamedGame>(game: &G, position: &G::Position) -> Option<String> {
    let state = game.state(position);
    (state != game.text(position)).then_some(state)
}

/// The index of an evaluator of the game, the first if none is named.
pub(crate) fn evaluator<G: NamedGame>(name: Option<&str>) -> Result<usize, Failure> {
    let name = name.unwrap_or(G::EVALUATORS[0]);
    let index = G::EVALUATORS.iter().position(|&evaluator| evaluator == name);
    index.ok_or_else(|| {
        let names = G::EVALUATORS.join(", ");
        Failure::usage(format_args!(
            "'{}' is no evaluator of {}, which has: {names}",
            Quoted::new(name),
            G::NAME
        ))
    })
}

/// Refuses a position in which the game is over.
pub(crate) fn goes_on<G: NamedGame>(game: &G, position: &G::Position) -> Result<(), Failure> {
    match game.points(position) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format_args!(
            "the game is over in the position {}",
            game.text(position)
        ))),
    }
}

/// The chance that a text names: the roll, or the only one of a game without dice.
pub(crate) fn chance<G: NamedGame>(game: &G, text: Option<&str>) -> Result<usize, String> {
    let name = G::NAME;
    match (game.chances().len(), text) {
        (1, None) => Ok(0),
        (1, Some(roll)) => Err(format!(
            "{name} has no dice: leave '{}' out, or write the whole position as one argument",
            Quoted::new(roll)
        )),
        (_, None) => Err(format!(
            "{name} has dice: write the ROLL, such as 31, after the position"
        )),
        (_, Some(roll)) => game.chance(roll.trim()).ok_or_else(|| {
            format!(
                "'{}' is no roll: write two digits 1 to 6, such as 31",
                Quoted::new(roll)
            )
        }),
    }
}
