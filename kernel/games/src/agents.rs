//! The texts of agents and of nets: texts that [`Agent::read`] reads, and names of built-in nets or of files.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tavli_base::Stopped;
use tavli_base::text::Quoted;
use tavli_file::whole_file::{MAX_RECORD_BYTES, read};
use tavli_game::{Heuristic, PlayableGame};
use tavli_players::named::{self, NamedError};
use tavli_search::{Agent, AgentError, GameLookAhead, Nets};
use thiserror::Error;

use super::built_in::{built_in_net, built_in_nets, default_net};
use super::files::read_net;
use super::known_bear_offs::with_known_bear_offs;

/// Why a text gives no agent, or no net.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReadAgentError {
    /// It names neither an agent nor a net.
    #[error("{error}{}", or_nets(nets.as_deref()))]
    Agent {
        /// The agents that need no net.
        error: AgentError,
        /// [`names_of_nets`], if a net might have been meant.
        nets: Option<String>,
    },
    /// It names a file that is not a net of the game.
    #[error("cannot use {} as a net of {game}: {reason}", Quoted::new(path))]
    File {
        /// The file.
        path: String,
        /// The game.
        game: &'static str,
        /// The fault of the file.
        reason: String,
    },
    /// It adds a table of bear-offs that does not exist.
    #[error("cannot use '{}' as a player of {game}: {reason}", Quoted::new(text))]
    Table {
        /// The text.
        text: String,
        /// The game.
        game: &'static str,
        /// What is wrong with the table.
        reason: String,
    },
    /// It names a net with too many plies of look-ahead, or none.
    #[error(
        "'+{}ply' of '{}': nets of {game} look 1 to {most} plies ahead, +1ply to +{most}ply",
        Quoted::new(plies),
        Quoted::new(text)
    )]
    Plies {
        /// The plies as they are written.
        plies: String,
        /// The text.
        text: String,
        /// The game.
        game: &'static str,
        /// [`GameLookAhead::MAX_PLIES`].
        most: u32,
    },
    /// The caller stopped while a table was solved, or a file read.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A net, and how many plies it looks ahead.
#[derive(Clone, Debug)]
pub struct NamedNet<'a, P> {
    /// The name of the net: a built-in one, or a path, with its tables of bear-offs.
    pub name: &'a str,
    /// The net.
    pub net: Arc<dyn Heuristic<P>>,
    /// How many plies it looks ahead.
    pub plies: u32,
}

/// The end of the error for an unknown agent: the nets that the game has.
fn or_nets(nets: Option<&str>) -> String {
    let or_nets = |nets| format!("; or a net, which may also stand for EVALUATOR after minimax:D: {nets}");
    nets.map(or_nets).unwrap_or_default()
}

/// The text that lists the nets of a game, built-in ones and files; `None` for a game without nets.
#[must_use]
pub fn names_of_nets<G: PlayableGame>() -> Option<String> {
    default_net(G::NAME)?;
    let names = built_in_nets().filter(|(game, _)| *game == G::NAME);
    let names = names.map(|(_, name)| format!("{name}, ")).collect::<String>();
    let most = GameLookAhead::<G>::MAX_PLIES;
    Some(format!(
        "{names}or FILE, a net that tavli train wrote, also with +bearoff:SIZE and +1ply to +{most}ply after it"
    ))
}

/// The net of a text such as `strong`, `FILE`, `strong+bearoff:6x6` or `strong+bearoff:6x6+2ply`; `None` if it names no
/// net. A bear-off has the value of the last table that knows it. `stop` is called every so often while a table is
/// solved, which may take minutes.
///
/// # Errors
/// [`ReadAgentError`] if it names a file that is not a net of the game, a table that does not exist, or a wrong number
/// of plies; [`ReadAgentError::Stopped`] if `stop` returned `true`.
///
/// # Panics
/// If this CPU lacks the tier of the game.
pub fn named_net<'a, G: PlayableGame>(
    game: &G,
    text: &'a str,
    stop: &dyn Fn() -> bool,
) -> Result<Option<NamedNet<'a, G::Position>>, ReadAgentError> {
    // The whole text first: a file may have +2ply at the end of its name.
    if let Some(net) = net(game, text, stop)? {
        let (name, plies) = (text, 0);
        return Ok(Some(NamedNet { name, net, plies }));
    }
    let Some((name, plies)) = split_look_ahead(text) else {
        return missing::<G>(text).map_or(Ok(None), Err);
    };
    let Some(net) = net(game, name, stop)? else {
        return missing::<G>(name).map_or(Ok(None), Err);
    };
    let most = GameLookAhead::<G>::MAX_PLIES;
    match plies.parse() {
        Ok(plies) if (1..=most).contains(&plies) => Ok(Some(NamedNet { name, net, plies })),
        _ => Err(ReadAgentError::Plies { plies: plies.to_owned(), text: text.to_owned(), game: G::NAME, most }),
    }
}

/// The error for a text that looks like a path where there is no such file.
fn missing<G: PlayableGame>(text: &str) -> Option<ReadAgentError> {
    default_net(G::NAME)?;
    path_of_net(text).map(|path| ReadAgentError::File {
        path: path.to_owned(),
        game: G::NAME,
        reason: "there is no such file".to_owned(),
    })
}

/// The path in the name of a player, if it is that of a net's file.
// A text without a dot or a slash may be the name of an agent, as may a text with a colon, such as uct:100:1.4.
fn path_of_net(player: &str) -> Option<&str> {
    let mut text = split_look_ahead(player).map_or(player, |(net, _)| net);
    while let Some((net, _)) = split_bear_off(text) {
        text = net;
    }
    let is_path = text.contains(['/', '.']) && !text.contains(':');
    is_path.then_some(text)
}

/// The name of a player without the path of its net: a file may lie elsewhere on another machine.
pub(crate) fn without_path(player: &str) -> String {
    let additions = path_of_net(player).and_then(|path| player.strip_prefix(path));
    additions.map_or_else(|| player.to_owned(), |additions| format!("a file{additions}"))
}

/// The name and the plies of a player that looks ahead: `strong` and `2` of `strong+2ply`; `None` if the text has no
/// such ending.
///
/// ```
/// use tavli_games::split_look_ahead;
/// assert_eq!(split_look_ahead("strong+2ply"), Some(("strong", "2")));
/// assert_eq!(split_look_ahead("strong"), None);
/// ```
#[must_use]
pub fn split_look_ahead(text: &str) -> Option<(&str, &str)> {
    let (name, ahead) = text.rsplit_once('+')?;
    Some((name, ahead.strip_suffix("ply")?))
}

/// The agent of a text: one that [`Agent::read`] reads, or a net, which may look ahead, or take the place of an
/// evaluator. Nets are added to `nets`; `stop` is the same as in [`named_net`].
///
/// ```
/// use tavli_backgammon::{NO_STOP, Tier};
/// use tavli_games::{PlayableGame, read_agent};
/// use tavli_search::Nets;
/// use tavli_variants::Fevga;
///
/// let fevga = Fevga::by_rules("default", Tier::best(), 1)?;
/// let mut nets = Nets::new();
/// for text in ["uct:100:1", "strong+1ply", "minimax:2:strong"] {
///     assert_eq!(read_agent(&fevga, text, &mut nets, NO_STOP)?.to_string(), text);
/// }
/// assert!(nets.contains_key("strong"));
/// let error = read_agent(&fevga, "weak", &mut nets, NO_STOP).unwrap_err().to_string();
/// assert!(error.starts_with("'weak' is not a player of fevga: give random, "));
/// assert!(error.contains("after minimax:D: strong, or FILE, a net that tavli train wrote, also with +bearoff:SIZE"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReadAgentError`] lists all agents and nets; [`ReadAgentError::Stopped`] if `stop` returned `true`.
///
/// # Panics
/// If this CPU lacks the tier of the game.
pub fn read_agent<G: PlayableGame>(
    game: &G,
    text: &str,
    nets: &mut Nets<G::Position>,
    stop: &dyn Fn() -> bool,
) -> Result<Agent, ReadAgentError> {
    let error = match Agent::read::<G>(text) {
        Ok(agent) => return Ok(agent),
        Err(error) => error,
    };
    let by_minimax = text.match_indices(':').nth(1).and_then(|(second, _)| {
        let (agent, name) = (Agent::read::<G>(&text[..second]).ok()?, &text[second + 1..]);
        Some((agent.by_net(name)?, name))
    });
    let found = match by_minimax {
        Some((agent, name)) => net(game, name, stop)?.map(|net| (agent, name, net)),
        None => named_net(game, text, stop)?.map(|NamedNet { name, net, plies }| {
            let agent = Agent::Net { name: name.to_owned(), plies };
            (agent, name, net)
        }),
    };
    let Some((agent, name, net)) = found else {
        let nets = error.may_be_net().then(names_of_nets::<G>).flatten();
        return Err(ReadAgentError::Agent { error, nets });
    };
    nets.insert(name.to_owned(), net);
    Ok(agent)
}

/// The most tables of bear-offs after a net. Names are read recursively, so their depth is limited.
const MAX_TABLES: usize = 8;

/// The text before `+bearoff` or `+bearoff:TABLE`, and the table, by default 6x6 as in backgammon; `None` if the text
/// does not end with one.
fn split_bear_off(text: &str) -> Option<(&str, &str)> {
    let (net, added) = text.rsplit_once('+')?;
    match added {
        "bearoff" => Some((net, "6x6")),
        _ => Some((net, added.strip_prefix("bearoff:")?)),
    }
}

/// The built-in net of a name, or the net in a file, with its tables of bear-offs; `None` if there is neither.
fn net<G: PlayableGame>(
    game: &G,
    name: &str,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Arc<dyn Heuristic<G::Position>>>, ReadAgentError> {
    if let Some(net) = built_in_net(game, name) {
        return Ok(Some(net));
    }
    let path = Path::new(name);
    if !path.exists() {
        // After the path: a file may have +bearoff in its name.
        let Some((before, table)) = split_bear_off(name) else {
            return Ok(None);
        };
        let cannot = |reason: String| ReadAgentError::Table { text: name.to_owned(), game: G::NAME, reason };
        if name.matches("+bearoff").count() > MAX_TABLES {
            return Err(cannot(format!("it has more than {MAX_TABLES} tables of bear-offs")));
        }
        let Some(net) = net(game, before, stop)? else {
            return Ok(None);
        };
        let known = named::known_values(table, stop).map_err(|error| match error {
            NamedError::Stopped => ReadAgentError::Stopped(Stopped),
            error => cannot(error.to_string()),
        })?;
        return Ok(Some(with_known_bear_offs::<G>(net, known)));
    }
    let cannot = |reason: String| ReadAgentError::File { path: name.to_owned(), game: G::NAME, reason };
    let file = read(path, MAX_RECORD_BYTES, stop).map_err(|error| match error.kind() {
        // The kind of error by which `read` reports that `stop` returned true.
        io::ErrorKind::Interrupted => ReadAgentError::Stopped(Stopped),
        _ => cannot(error.to_string()),
    })?;
    read_net(game, &file).map(Some).map_err(|error| cannot(error.to_string()))
}
