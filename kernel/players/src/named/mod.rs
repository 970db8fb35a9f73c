//! Players by name or by file: the one place where all programs look them up.
//!
//! | text | player |
//! |---|---|
//! | `uniform`, `pubeval` | the [policies](tavli_backgammon::policies) of these names |
//! | `td80` | a [net](crate::net::NetPlayer) as TD-Gammon's of 1992: 198 inputs, 80 hidden units, 1.5 million games of self-play |
//! | `fast` | a [net](crate::net::NetPlayer) of 192 hidden units, the cheapest good player |
//! | `strong` | a [net](crate::net::NetPlayer) of layers of 384, 256 and 64 hidden units, which values the best plays by `fast` |
//! | `sampled`, `sampled:GAMES:POLICY` | a player that picks by the [evaluator](Sampled) of this name |
//! | a path | the player in a [file of nets](crate::net::PlayerFile) |
//! | `PATH#CHECKSUM` | the player in a file whose bytes, from the last to the first, have this CRC-32 |
//! | `PLAYER+1ply`, `PLAYER+2ply:KEEP:BY` | a player that values positions, [looking ahead](crate::LookAhead); only the KEEP plays of a roll that BY ranks first are looked at |
//! | `PLAYER+bearoff`, `PLAYER+bearoff:6x6`, `PLAYER+bearoff:FILE` | the player, with perfect play in the positions of a two-sided table: of 6 checkers on 6 points, of another size, or of GNU Backgammon's file |
//! | `PLAYER+bearoff:6`, `PLAYER+bearoff:FILE` | the player, with the values of a [one-sided table](crate::bearoff::OneSidedEnds), as if both sides minimised rolls: of 6 points, of other points, or of GNU Backgammon's file |
//! | `PLAYER+bearoff:6+bearoff:6x6` | the player with both tables; the two-sided one is asked first |
//!
//! A player has at most 8 additions (`+`).
//!
//! The name of a player from a file is `PATH#CHECKSUM`, so that the name decides its plays: a saved result goes on with
//! the same file only. Evaluators are found here, too: they are the players that value positions.
//!
//! The [defaults](Defaults) of all programs and the [list](built_ins) of the built-in players are here as well.

mod addition;
mod defaults;
mod error;
mod file;
mod nets;

pub use crate::player::NamedPlayer;
pub use defaults::{Defaults, rollout_players};
pub use error::NamedError;

use std::sync::Arc;

use tavli_backgammon::evaluators::{Evaluator, KnownValues, Sampled, SampledName};
use tavli_backgammon::playout::RECORDED_SIGNATURE;
use tavli_backgammon::policies::{Policy, Pubeval, Uniform};

use addition::Addition;
use file::NamedFile;
use nets::Net;

use crate::net::PlayerFile;
use crate::whole_file;

/// A player that is part of the program.
#[derive(Debug)]
#[non_exhaustive]
pub struct BuiltIn {
    /// The name that it is found by.
    pub name: &'static str,
    /// How it plays, in a few words.
    pub summary: &'static str,
    /// Whether it values positions, and so is an evaluator, too.
    pub values_positions: bool,
    /// The recorded [signature](tavli_backgammon::policies::Players::signature) of its games against itself: another
    /// one means that its games have changed.
    signature: u64,
    make: fn() -> Result<NamedPlayer, NamedError>,
}

const BUILT_IN: &[BuiltIn] = &[
    BuiltIn {
        name: Uniform::NAME,
        summary: "each distinct play as likely as any other",
        values_positions: false,
        signature: RECORDED_SIGNATURE,
        make: || Ok(NamedPlayer::from_policy(Uniform)),
    },
    BuiltIn {
        name: Pubeval::NAME,
        summary: "Tesauro's linear evaluation of 1993",
        values_positions: false,
        signature: Pubeval::RECORDED_SIGNATURE,
        make: || Ok(NamedPlayer::from_policy(Pubeval)),
    },
    BuiltIn {
        name: "td80",
        summary: "a net of 80 hidden units, as TD-Gammon's of 1992",
        values_positions: true,
        signature: 0xad2f_5d21_d02e_adba,
        make: || player_from_net(&nets::TD80),
    },
    BuiltIn {
        name: "fast",
        summary: "a net of 192 hidden units, the cheapest good player",
        values_positions: true,
        signature: 0xd199_9ee6_4c25_1fa0,
        make: || player_from_net(&nets::FAST),
    },
    BuiltIn {
        name: "strong",
        summary: "a net of 384, 256 and 64 hidden units, the best player",
        values_positions: true,
        signature: 0x7eec_dc01_cf22_0f53,
        make: || player_from_net(&nets::STRONG),
    },
];

fn player_from_net(net: &Net) -> Result<NamedPlayer, NamedError> {
    let (name, file) = (net.name(), net.file()?);
    let player = player_from_nets(name, &file).expect("it is the file of a player");
    player.map_err(|reason| NamedError::Damaged {
        path: format!("{name}.player"),
        reason,
    })
}

/// Gives the program the file of a built-in net. With the feature `nets`, on by default, the program has the file
/// already, and this only compares the checksum.
///
/// ```
/// use tavli_players::named::give;
/// let error = give("fast", b"another file").unwrap_err().to_string();
/// assert_eq!(error, "this is not the file of the built-in player 'fast': give players/fast.player of the same version");
/// assert!(give("pubeval", b"").is_err());
/// ```
///
/// # Errors
/// [`NamedError::Policy`] if no built-in player of the name has a file, and [`NamedError::OtherNet`] if it is another
/// one.
pub fn give(name: &str, file: &[u8]) -> Result<(), NamedError> {
    let net = nets::ALL.into_iter().find(|net| net.name() == name);
    let net = net.ok_or_else(|| NamedError::Policy(name.to_owned()))?;
    net.give(file)
}

/// Reads a player from the bytes of a file and gives it a name; `None` if the file has another format.
type Reader = fn(name: &str, file: &[u8]) -> Option<Result<NamedPlayer, String>>;

/// A reader for each format of players' files.
const READERS: &[Reader] = &[player_from_nets];

/// Reads a [`PlayerFile`].
fn player_from_nets(name: &str, file: &[u8]) -> Option<Result<NamedPlayer, String>> {
    PlayerFile::begins(file).then(|| {
        let file = PlayerFile::read(file).map_err(|error| error.to_string())?;
        let player = file.player(name).map_err(|error| error.to_string())?;
        Ok(NamedPlayer::from_policy_and_evaluator(player))
    })
}

/// The built-in players. Guides and help texts list all of them.
#[must_use]
pub fn built_ins() -> &'static [BuiltIn] {
    BUILT_IN
}

/// The names of the built-in players.
///
/// ```
/// assert!(tavli_players::named::names().any(|name| name == "pubeval"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|built_in| built_in.name)
}

/// The built-in players, each with its summary, for a help text.
///
/// ```
/// let policies = tavli_players::named::list_of_policies();
/// assert!(policies.starts_with("uniform (each distinct play as likely as any other), pubeval ("), "{policies}");
/// ```
#[must_use]
pub fn list_of_policies() -> String {
    list(BUILT_IN.iter())
}

/// The built-in players that value positions, each with its summary, and the forms of `sampled`, for a help text.
///
/// ```
/// let evaluators = tavli_players::named::list_of_evaluators();
/// assert!(evaluators.starts_with("td80 (a net of 80 hidden units,"), "{evaluators}");
/// ```
#[must_use]
pub fn list_of_evaluators() -> String {
    let players = list(evaluators());
    format!(
        "{players}, sampled (the ends of 36 games from the position, every play equally likely), sampled:GAMES or \
         sampled:GAMES:POLICY"
    )
}

/// The built-in players that value positions.
fn evaluators() -> impl Iterator<Item = &'static BuiltIn> {
    BUILT_IN.iter().filter(|built_in| built_in.values_positions)
}

fn list(players: impl Iterator<Item = &'static BuiltIn>) -> String {
    let players = players.map(|BuiltIn { name, summary, .. }| format!("{name} ({summary})"));
    players.collect::<Vec<_>>().join(", ")
}

/// The player of a built-in name, or of a file.
///
/// ```
/// use tavli_players::named::player;
/// let pubeval = player("pubeval")?;
/// assert_eq!(pubeval.policy.name(), "pubeval");
/// assert!(pubeval.evaluator.is_none(), "it ranks plays, and gives no probabilities");
/// # Ok::<(), tavli_players::named::NamedError>(())
/// ```
///
/// # Errors
/// [`NamedError`] says what is wrong with the name or the file.
pub fn player(text: &str) -> Result<NamedPlayer, NamedError> {
    player_by(text, READERS)
}

/// The policy of a built-in name, or of a file.
///
/// ```
/// use tavli_players::named::policy;
/// assert_eq!(policy("pubeval")?.name(), "pubeval");
/// let error = policy("gnubg").unwrap_err().to_string();
/// assert!(error.starts_with("unknown policy 'gnubg'; choose one of: uniform, pubeval"), "{error}");
/// # Ok::<(), tavli_players::named::NamedError>(())
/// ```
///
/// # Errors
/// As [`player`].
pub fn policy(text: &str) -> Result<Arc<dyn Policy>, NamedError> {
    Ok(player(text)?.policy)
}

/// The evaluator of a name or of a file: a player that values positions.
///
/// ```
/// use tavli_players::named::evaluator;
/// assert_eq!(evaluator("sampled:9:pubeval")?.name(), "sampled:9:pubeval");
/// assert_eq!(evaluator("sampled+1ply")?.name(), "sampled:36:uniform+1ply");
/// let error = evaluator("pubeval").unwrap_err().to_string();
/// assert!(error.starts_with("'pubeval' is a policy"), "{error}");
/// # Ok::<(), tavli_players::named::NamedError>(())
/// ```
///
/// # Errors
/// As [`player`], or if the player does not value positions.
pub fn evaluator(text: &str) -> Result<Arc<dyn Evaluator>, NamedError> {
    let player = player(text).map_err(|error| match error {
        NamedError::Policy(name) if name == text => NamedError::Evaluator(name),
        error => error,
    })?;
    Ok(player.valuing()?)
}

/// A bear-off table: a two-sided one, such as `6x6` for 6 points and 6 checkers a side, a one-sided one, such as `6`
/// for 6 points, or one in a file of GNU Backgammon.
///
/// ```
/// assert_eq!(tavli_players::named::ends("6x2")?.name(), "bearoff:6x2");
/// assert_eq!(tavli_players::named::ends("6")?.name(), "bearoff:6");
/// # Ok::<(), tavli_players::named::NamedError>(())
/// ```
///
/// # Errors
/// [`NamedError`] says what is wrong with the size or the file.
pub fn ends(table: &str) -> Result<Arc<dyn KnownValues>, NamedError> {
    addition::ends(table)
}

/// The signature in saved results of games between two policies: a result goes on only where games still have these
/// values. It is the recorded signature of the policies' games, or the two of them with a `+` between if they differ.
///
/// A player from a file is a net, and has the signature of a built-in net: its name stands for its weights, the
/// signature for what nets make of weights. Any other player that is not built in has the signature of `uniform`, which
/// stands for dice and plays. An evaluator that samples games has the signature of their policy.
///
/// ```
/// use tavli_players::named::values;
/// assert_eq!(values(["uniform", "uniform"]), "5e4411ba37c678f2");
/// assert_eq!(values(["pubeval", "uniform"]), "1ce45f70cea56dc8+5e4411ba37c678f2");
/// assert_eq!(values(["mine.player#0badcafe"; 2]), values(["td80"; 2]));
/// ```
#[must_use]
pub fn values(names: [&str; 2]) -> String {
    match names.map(|name| format!("{:016x}", signature(name))) {
        [first, second] if first == second => first,
        both => both.join("+"),
    }
}

/// The signature in saved results of an evaluator's values: [`values`], with `.2` behind it if the evaluator samples
/// games. Since the second version it samples by a seed of each trial.
///
/// ```
/// use tavli_players::named::values_of_evaluator;
/// assert_eq!(values_of_evaluator("fast"), "d1999ee64c251fa0");
/// assert_eq!(values_of_evaluator("sampled:36:uniform+1ply"), "5e4411ba37c678f2.2");
/// ```
#[must_use]
pub fn values_of_evaluator(name: &str) -> String {
    let mut player = name;
    while let Some((before, _)) = Addition::split(player) {
        player = before;
    }
    let samples = matches!(SampledName::parse(player), Ok(Some(_)));
    values([name; 2]) + if samples { ".2" } else { "" }
}

/// The part of a player's or evaluator's name that decides its plays and values: the name without the paths of files,
/// whose checksums stand for their contents. A file under two paths is one player.
///
/// ```
/// use tavli_players::named::identity;
/// let name = "nets/mine.player#826fe14d+bearoff:tables/6x6.bd#00000001";
/// assert_eq!(identity(name), "#826fe14d+bearoff:#00000001");
/// assert_eq!(identity("fast+2ply:8:/a/b.player#826fe14d"), "fast+2ply:8:#826fe14d");
/// assert_eq!(identity("sampled:36:uniform"), "sampled:36:uniform");
/// ```
#[must_use]
pub fn identity(name: &str) -> String {
    if let Some((player, addition)) = Addition::split(name) {
        return format!("{}+{}", identity(player), addition.without_paths(identity));
    }
    match SampledName::parse(name) {
        Ok(Some(sampled)) => {
            let identity = identity(sampled.policy);
            match identity == sampled.policy {
                true => name.to_owned(),
                false => name.replacen(sampled.policy, &identity, 1),
            }
        }
        _ => file::without_path(name),
    }
}

/// The recorded signature of a player's games against itself, or of the built-in player that stands for it.
fn signature(name: &str) -> u64 {
    if let Some((player, _)) = Addition::split(name) {
        return signature(player);
    }
    if let Ok(Some(sampled)) = SampledName::parse(name) {
        return signature(sampled.policy);
    }
    if NamedFile::is_name(name) {
        return signature(nets::TD80.name());
    }
    built_in(name).map_or(RECORDED_SIGNATURE, |built_in| built_in.signature)
}

fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|built_in| built_in.name == name)
}

fn player_by(text: &str, readers: &[Reader]) -> Result<NamedPlayer, NamedError> {
    Addition::check_number(text)?;
    with_additions(text, readers)
}

/// [`player_by`] without the check of the number of additions.
fn with_additions(text: &str, readers: &[Reader]) -> Result<NamedPlayer, NamedError> {
    if let Some((player, addition)) = Addition::split(text) {
        return addition.to(with_additions(player, readers)?, &|text| with_additions(text, readers));
    }
    if let Some(sampled) = SampledName::parse(text)? {
        let policy = with_additions(sampled.policy, readers)?.policy;
        let sampled = Sampled::new(policy, sampled.games, sampled.seed);
        return Ok(NamedPlayer::from_evaluator(Arc::new(sampled)));
    }
    match built_in(text) {
        Some(built_in) => (built_in.make)(),
        None => player_from_file(text, readers),
    }
}

/// The player of `PATH` or `PATH#CHECKSUM`.
fn player_from_file(text: &str, readers: &[Reader]) -> Result<NamedPlayer, NamedError> {
    // A plain word is more likely a misspelt name than a missing file.
    let is_word = !text.contains(['/', '\\', '.', '#']);
    let file = NamedFile::read(text, whole_file::RECORD).map_err(|error| match error {
        NamedError::Read { is_missing, .. } if is_missing && is_word => NamedError::Policy(text.to_owned()),
        error => error,
    })?;
    let mut read = readers.iter().filter_map(|reader| reader(&file.name, &file.bytes));
    let read = read.next().ok_or_else(|| NamedError::Format(file.path.clone()))?;
    read.map_err(|reason| file.damaged(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tavli_backgammon::games::Decisions;
    use tavli_backgammon::plays::View;
    use tavli_backgammon::policies::Players;
    use tavli_backgammon::{Stopped, Tier};

    /// Picks the last play, as its file says.
    #[derive(Debug)]
    struct Last(String);

    impl Policy for Last {
        fn name(&self) -> &str {
            &self.0
        }

        fn view(&self) -> View {
            View::NUMBERS
        }

        fn pick(&self, decisions: &Decisions, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
            for (decision, pick) in picks.iter_mut().enumerate() {
                *pick = decisions.plays_of(decision) as u32 - 1;
            }
            Ok(())
        }
    }

    fn read(name: &str, file: &[u8]) -> Option<Result<NamedPlayer, String>> {
        let body = file.strip_prefix(b"last ")?;
        Some(match body {
            b"whole" => Ok(NamedPlayer::from_policy(Last(name.to_owned()))),
            _ => Err("it is cut short".to_owned()),
        })
    }

    fn complaint(text: &str) -> String {
        player_by(text, &[read]).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_named_with_its_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player");
        fs::write(&path, "last whole").unwrap();
        let path = path.to_str().unwrap();
        // As `python3 -c 'import zlib; print("%08x" % zlib.crc32(b"last whole"[::-1]))'` has it.
        let name = format!("{path}#826fe14d");
        for text in [path, &name] {
            let found = player_by(text, &[read]).unwrap();
            assert_eq!(found.policy.name(), name);
            assert!(found.evaluator.is_none());
        }
        assert_eq!(values([&name; 2]), values(["td80"; 2]));
        let other = complaint(&format!("{path}#00000000"));
        assert!(other.contains("has the checksum 826fe14d, not 00000000"), "{other}");
        let unknown = player(path).unwrap_err().to_string();
        assert!(unknown.ends_with("is not the file of a player: no reader knows how it begins"));
        fs::write(path, "last who").unwrap();
        let damaged = complaint(path);
        assert!(damaged.ends_with("cannot use {path}: it is cut short".replace("{path}", path).as_str()));
        // What was played by it does not go on with another file.
        assert!(complaint(&name).contains("not 826fe14d"));
    }

    #[test]
    fn a_missing_file_is_told_from_an_unknown_name() {
        let name = complaint("gnubg");
        assert_eq!(
            name,
            "unknown policy 'gnubg'; choose one of: uniform, pubeval, td80, fast, strong, or name the file of a player"
        );
        for text in ["./gnubg", "gnubg.net", "players/gnubg", "gnubg#00000000"] {
            assert!(complaint(text).starts_with("cannot read "), "{text}");
        }
    }

    #[test]
    fn a_name_has_few_additions() {
        let text = |number: usize| format!("sampled:1{}", "+1ply".repeat(number));
        assert_eq!(evaluator(&text(8)).unwrap().name().matches("+1ply").count(), 8);
        for number in [9, 100_000] {
            assert_eq!(
                evaluator(&text(number)).unwrap_err().to_string(),
                format!("the player has {number} additions, such as +1ply, behind its name: write 8 at most")
            );
        }
    }

    #[test]
    fn evaluators_are_players_that_value_positions_or_sampled() {
        for (text, name) in [
            ("sampled", "sampled:36:uniform"),
            ("sampled:7:pubeval:9", "sampled:7:pubeval:9"),
        ] {
            assert_eq!(evaluator(text).unwrap().name(), name);
        }
        assert_eq!(values(["sampled"; 2]), "5e4411ba37c678f2");
        assert_eq!(values(["my own"; 2]), "5e4411ba37c678f2");
        for (text, expected) in [
            ("pubeval", "is a policy: it picks plays and gives no probabilities"),
            (
                "gnubg",
                "unknown evaluator 'gnubg'; choose one of: td80, fast, strong, sampled, sampled:GAMES, \
                 sampled:GAMES:POLICY, or name the file of a player",
            ),
            ("sampled:9:chess", "choose one of: uniform, pubeval"),
            ("sampled:0", "GAMES is a number 1 to 4294967295"),
            ("./none", "cannot read ./none"),
        ] {
            let error = evaluator(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn every_built_in_player_has_the_name_it_is_found_by_and_plays_as_recorded() {
        for built_in in BUILT_IN {
            let policy = policy(built_in.name).unwrap();
            assert_eq!(policy.name(), built_in.name);
            let evaluator = evaluator(built_in.name);
            assert_eq!(evaluator.is_ok(), built_in.values_positions, "{}", built_in.name);
            let signature = Players::alike(policy).signature(Tier::best());
            assert_eq!(signature, built_in.signature, "{}: {signature:016x}", built_in.name);
        }
    }
}
