//! Players, policies, evaluators and tables by name.

use std::sync::Arc;

use tavli_backgammon::NO_STOP;
use tavli_backgammon::evaluators::{Evaluator, KnownValues, Sampled, SampledName};
use tavli_backgammon::playout::RECORDED_SIGNATURE;
use tavli_backgammon::policies::{Policy, Pubeval, Uniform};

use super::addition::Addition;
use super::built_in::built_in;
use super::error::NamedError;
use super::file::NamedFile;
use super::{learned, nets};
use crate::net::PlayerFile;
use crate::player::NamedPlayer;
use tavli_file::whole_file;

/// Gives the program the file of a built-in net, which is read at once. With the feature `nets`, on by default, the
/// program has the file already, and this only compares the checksum.
///
/// ```
/// use tavli_players::named::give_net;
/// let error = give_net("fast", b"another file").unwrap_err().to_string();
/// assert_eq!(error, "this is not the file of the built-in player 'fast': give players/fast.player of the same version");
/// assert!(give_net("pubeval", b"").is_err());
/// ```
///
/// # Errors
/// [`NamedError::Policy`] if no built-in player of the name has a file, [`NamedError::OtherNet`] if it is another
/// player's, and [`NamedError::Damaged`] if it is damaged.
pub fn give_net(name: &str, file: &[u8]) -> Result<(), NamedError> {
    let net = nets::ALL.iter().find(|net| net.name() == name);
    let net = net.ok_or_else(|| NamedError::Policy(name.to_owned()))?;
    net.give(file)
}

/// Reads a player from the bytes of a file and gives it a name; `None` if the file has another format.
type Reader = fn(name: &str, file: &[u8]) -> Option<Result<NamedPlayer, String>>;

/// A reader for each format of players' files.
const READERS: &[Reader] = &[player_from_nets];

/// Reads a [`PlayerFile`], and notes what its net has learned.
fn player_from_nets(name: &str, file: &[u8]) -> Option<Result<NamedPlayer, String>> {
    PlayerFile::begins(file).then(|| {
        let (player, recipe) = nets::read_player(name, file)?;
        learned::note_recipe(name, &recipe);
        Ok(player)
    })
}

/// The player of a built-in name, or of a file. `stop` is called every so often while a bear-off table is solved, which
/// for `strong+bearoff:12x6` takes minutes, and while a file is read.
///
/// ```
/// use tavli_backgammon::NO_STOP;
/// use tavli_players::named::{NamedError, player};
/// let pubeval = player("pubeval", NO_STOP)?;
/// assert_eq!(pubeval.policy.name(), "pubeval");
/// assert!(pubeval.evaluator.is_none(), "it ranks plays, and gives no probabilities");
/// assert_eq!(player("fast+bearoff:7x8", &|| true).err(), Some(NamedError::Stopped));
/// # Ok::<(), tavli_players::named::NamedError>(())
/// ```
///
/// # Errors
/// [`NamedError`] says what is wrong with the name or the file; [`NamedError::Stopped`] if `stop` returned true.
pub fn player(text: &str, stop: &dyn Fn() -> bool) -> Result<NamedPlayer, NamedError> {
    player_by(text, READERS, stop)
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
    Ok(player(text, NO_STOP)?.policy)
}

/// The evaluator of a name or of a file: a player that values positions. `stop` is the same as in [`player`].
///
/// ```
/// use tavli_backgammon::NO_STOP;
/// use tavli_players::named::evaluator;
/// assert_eq!(evaluator("sampled:9:pubeval", NO_STOP)?.name(), "sampled:9:pubeval");
/// assert_eq!(evaluator("sampled+1ply", NO_STOP)?.name(), "sampled:36:uniform+1ply");
/// let error = evaluator("pubeval", NO_STOP).unwrap_err().to_string();
/// assert!(error.starts_with("'pubeval' is a policy"), "{error}");
/// # Ok::<(), tavli_players::named::NamedError>(())
/// ```
///
/// # Errors
/// As [`player`], or if the player does not value positions.
pub fn evaluator(text: &str, stop: &dyn Fn() -> bool) -> Result<Arc<dyn Evaluator>, NamedError> {
    let mut without_additions = text;
    while let Some((player, _)) = Addition::split(without_additions).filter(|(player, _)| !player.is_empty()) {
        without_additions = player;
    }
    let player = player(text, stop).map_err(|error| match error {
        NamedError::Policy(name) if name == without_additions => NamedError::Evaluator(name),
        error => error,
    })?;
    Ok(player.valuing()?)
}

/// A bear-off table: a two-sided one, such as `6x6` for 6 points and 6 checkers a side, a one-sided one, such as `6`
/// for 6 points, or one in a file of GNU Backgammon.
///
/// ```
/// use tavli_backgammon::NO_STOP;
/// use tavli_players::named::known_values;
/// assert_eq!(known_values("6x2", NO_STOP)?.name(), "bearoff:6x2");
/// assert_eq!(known_values("6", NO_STOP)?.name(), "bearoff:6");
/// # Ok::<(), tavli_players::named::NamedError>(())
/// ```
///
/// # Errors
/// [`NamedError`] says what is wrong with the size or the file; [`NamedError::Stopped`] if `stop` returned true.
pub fn known_values(table: &str, stop: &dyn Fn() -> bool) -> Result<Arc<dyn KnownValues>, NamedError> {
    super::addition::known_values(table, stop)
}

/// The signature in saved results of games between two policies: a result goes on only if games still have these
/// values. It is the recorded signature of the policies' games, or the two of them with a `+` between if they differ.
///
/// A player from a file is a net, and has the signature of a built-in net: its name stands for its weights, the
/// signature for the way nets compute with weights. Any other player that is not built in has the signature of
/// `uniform`, which stands for dice and plays. An evaluator that samples games has the signature of their policy.
///
/// ```
/// use tavli_players::named::signature_of_policies;
/// assert_eq!(signature_of_policies(["uniform", "uniform"]), "5e4411ba37c678f2");
/// assert_eq!(signature_of_policies(["pubeval", "uniform"]), "1ce45f70cea56dc8+5e4411ba37c678f2");
/// assert_eq!(signature_of_policies(["mine.player#0badcafe"; 2]), signature_of_policies(["td80"; 2]));
/// ```
#[must_use]
pub fn signature_of_policies(names: [&str; 2]) -> String {
    match names.map(|name| format!("{:016x}", recorded_signature(name))) {
        [first, second] if first == second => first,
        both => both.join("+"),
    }
}

/// The signature in saved results of an evaluator's values: [`signature_of_policies`], followed by `.2` if the
/// evaluator samples games. Since the second version it samples by a seed of each trial.
///
/// ```
/// use tavli_players::named::signature_of_evaluator;
/// assert_eq!(signature_of_evaluator("fast"), "f688b423e28edcfe");
/// assert_eq!(signature_of_evaluator("sampled:36:uniform+1ply"), "5e4411ba37c678f2.2");
/// ```
#[must_use]
pub fn signature_of_evaluator(name: &str) -> String {
    let mut player = name;
    while let Some((before, _)) = Addition::split(player) {
        player = before;
    }
    let samples = matches!(SampledName::parse(player), Ok(Some(_)));
    signature_of_policies([name; 2]) + if samples { ".2" } else { "" }
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
        _ => super::file::without_path(name),
    }
}

/// Whether a player that is found by its name may have this name: a built-in one, a form of `sampled`, a file with its
/// checksum, or one of these with additions. A caller's own policy or evaluator needs another name, since a saved
/// result goes on by the player that its name finds.
///
/// ```
/// use tavli_players::named::is_taken;
/// assert!(["uniform", "sampled:9", "mine.player#826fe14d", "fast+1ply"].into_iter().all(is_taken));
/// assert!(!["mine", "mine.player", "fast-2", "a+b"].into_iter().any(is_taken));
/// ```
#[must_use]
pub fn is_taken(name: &str) -> bool {
    built_in(name).is_some()
        || Addition::split(name).is_some()
        || NamedFile::is_name(name)
        || !matches!(SampledName::parse(name), Ok(None))
}

/// The recorded signature of a player's games against itself, or of the built-in player that stands for it.
fn recorded_signature(name: &str) -> u64 {
    if let Some((player, _)) = Addition::split(name) {
        return recorded_signature(player);
    }
    if let Ok(Some(sampled)) = SampledName::parse(name) {
        return recorded_signature(sampled.policy);
    }
    if NamedFile::is_name(name) {
        return recorded_signature("td80");
    }
    built_in(name).map_or(RECORDED_SIGNATURE, |built_in| built_in.signature)
}

fn player_by(text: &str, readers: &[Reader], stop: &dyn Fn() -> bool) -> Result<NamedPlayer, NamedError> {
    Addition::check(text)?;
    with_additions(text, readers, stop)
}

/// [`player_by`] without the check of the additions.
fn with_additions(text: &str, readers: &[Reader], stop: &dyn Fn() -> bool) -> Result<NamedPlayer, NamedError> {
    let find = |text: &str| with_additions(text, readers, stop);
    if let Some((player, addition)) = Addition::split(text) {
        if player.is_empty() {
            return Err(NamedError::Policy(text.to_owned()));
        }
        return addition.add_to(find(player)?, &find, stop);
    }
    if let Some(sampled) = SampledName::parse(text)? {
        let policy = find(sampled.policy)?.policy;
        let sampled = Sampled::new(policy, sampled.games, sampled.seed);
        return Ok(NamedPlayer::from_evaluator(Arc::new(sampled)));
    }
    match text {
        Uniform::NAME => Ok(NamedPlayer::from_policy(Uniform)),
        Pubeval::NAME => Ok(NamedPlayer::from_policy(Pubeval)),
        _ => match nets::ALL.iter().find(|net| net.name() == text) {
            Some(net) => net.player(),
            None => player_from_file(text, readers, stop),
        },
    }
}

/// The player of `PATH` or `PATH#CHECKSUM`.
fn player_from_file(text: &str, readers: &[Reader], stop: &dyn Fn() -> bool) -> Result<NamedPlayer, NamedError> {
    // WebAssembly has no files, and the code that reads them would enlarge the module for JavaScript.
    if cfg!(target_family = "wasm") {
        return Err(NamedError::Policy(text.to_owned()));
    }
    // A plain word is more likely a misspelt name than a missing file.
    let is_word = !text.contains(['/', '\\', '.', '#']);
    let file = NamedFile::read(text, whole_file::MAX_RECORD_BYTES, stop).map_err(|error| match error {
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
    use crate::bearoff::OneSided;
    use crate::plays_with_cube::cubeful_evaluator;
    use core::cell::Cell;
    use std::fs;
    use tavli_backgammon::plays::View;
    use tavli_backgammon::policies::PolicyPair;
    use tavli_backgammon::stepping::RollBatch;
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

        fn pick(&self, decisions: &RollBatch, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
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
        player_by(text, &[read], NO_STOP).unwrap_err().to_string()
    }

    #[test]
    fn a_file_is_named_with_its_checksum() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("player");
        fs::write(&path, "last whole").unwrap();
        let path = path.to_str().unwrap();
        // As `python3 -c 'import zlib; print("%08x" % zlib.crc32(b"last whole"[::-1]))'` prints it.
        let name = format!("{path}#826fe14d");
        for text in [path, &name] {
            let found = player_by(text, &[read], NO_STOP).unwrap();
            assert_eq!(found.policy.name(), name);
            assert!(found.evaluator.is_none());
        }
        assert_eq!(signature_of_policies([&name; 2]), signature_of_policies(["td80"; 2]));
        let other = complaint(&format!("{path}#00000000"));
        assert!(other.contains("has the checksum 826fe14d, not 00000000"), "{other}");
        let unknown = player(path, NO_STOP).unwrap_err().to_string();
        let message = "is not the file of a player of backgammon: no reader knows how it begins. Nets of other games play by the name of their game";
        assert!(unknown.ends_with(message));
        fs::write(path, "last who").unwrap();
        let damaged = complaint(path);
        assert!(damaged.ends_with("cannot use {path}: it is cut short".replace("{path}", path).as_str()));
        // Saved results of this player do not go on with another file.
        assert!(complaint(&name).contains("not 826fe14d"));
    }

    #[test]
    fn reading_a_file_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.bd");
        let mut file = Vec::new();
        OneSided::new(6, NO_STOP, &mut |_| ()).unwrap().write_gnubg(&mut file).unwrap();
        fs::write(&path, file).unwrap();
        let path = path.to_str().unwrap();
        // While the bytes are read, while they are summed, and while the table is made of them.
        for after in 0.. {
            let looks = Cell::new(0);
            let stop = || {
                looks.update(|looks| looks + 1);
                looks.get() > after
            };
            match player(&format!("fast+bearoff:{path}"), &stop) {
                Ok(_) => {
                    assert!(after > 50, "{after} looks");
                    break;
                }
                Err(error) => assert_eq!((error, looks.get()), (NamedError::Stopped, after + 1)),
            }
        }
        assert_eq!(player(path, &|| true).err(), Some(NamedError::Stopped));
    }

    #[test]
    fn a_missing_file_is_told_from_an_unknown_name() {
        let name = complaint("gnubg");
        assert_eq!(
            name,
            "unknown policy 'gnubg'; choose one of: uniform, pubeval, td80, fast, strong, sampled, or name the file of a \
             player; +2ply, +cube or +bearoff:6x6 may follow"
        );
        for text in ["./gnubg", "gnubg.net", "players/gnubg", "gnubg#00000000"] {
            assert!(complaint(text).starts_with("cannot read "), "{text}");
        }
    }

    #[test]
    fn an_unknown_name_with_additions_is_of_the_kind_that_is_asked_for() {
        let by_evaluator = |text| evaluator(text, NO_STOP).unwrap_err();
        for (text, error) in [
            ("+1ply", NamedError::Evaluator("+1ply".to_owned())),
            ("+1ply+cube", NamedError::Evaluator("+1ply".to_owned())),
            ("gnubg+1ply+cube", NamedError::Evaluator("gnubg".to_owned())),
            ("fast+2ply:8:gnubg", NamedError::Policy("gnubg".to_owned())),
        ] {
            assert_eq!(by_evaluator(text), error);
        }
        assert!(complaint("+1ply").starts_with("unknown policy '+1ply'"));
    }

    #[test]
    fn a_table_is_solved_once_while_a_player_has_it() {
        for size in ["6x3", "7"] {
            let name = format!("fast+bearoff:{size}");
            let stopped = |name: &str| player(name, &|| true).err();
            assert_eq!(stopped(&name), Some(NamedError::Stopped));
            let player = player(&name, NO_STOP).unwrap();
            assert_eq!(stopped(&name), None, "the player has the table");
            assert_eq!(stopped(&format!("pubeval+bearoff:{size}")), None);
            drop(player);
            assert_eq!(stopped(&name), Some(NamedError::Stopped));
        }
    }

    #[test]
    fn a_name_has_few_additions() {
        let text = |number: usize| format!("sampled:1{}", "+bearoff".repeat(number));
        assert!(evaluator(&text(8), NO_STOP).is_ok());
        for number in [9, 100_000] {
            assert_eq!(
                evaluator(&text(number), NO_STOP).unwrap_err().to_string(),
                format!("the player has {number} additions, such as +1ply, after its name: write 8 at most")
            );
        }
    }

    #[test]
    fn a_player_looks_ahead_once() {
        for (text, both) in [
            ("strong+1ply+2ply", "+1ply+2ply"),
            ("fast+2ply:8+bearoff+1ply", "+2ply:8+1ply"),
            ("sampled:9+1ply+1ply", "+1ply+1ply"),
        ] {
            let error = evaluator(text, NO_STOP).unwrap_err().to_string();
            let expected = format!("invalid look-ahead '{both}': write +1ply to +4ply");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn a_player_whose_plays_are_chosen_with_the_cube_keeps_its_evaluator() {
        for (text, evaluator) in [("fast+cube", "fast"), ("sampled:9+1ply+cube", "sampled:9:uniform+1ply")] {
            let player = player(text, NO_STOP).unwrap();
            assert_eq!(player.policy.name(), format!("{evaluator}+cube"));
            assert_eq!(cubeful_evaluator(&*player.policy).unwrap().name(), evaluator);
            assert_eq!(player.evaluator.unwrap().name(), evaluator);
            assert_eq!(signature_of_policies([text; 2]), signature_of_policies([evaluator; 2]));
            assert_eq!(identity(text), text);
        }
        assert!(cubeful_evaluator(&*player("fast", NO_STOP).unwrap().policy).is_none());
        for (text, expected) in [
            ("pubeval+cube", "'pubeval' is a policy"),
            ("fast+cube+1ply", "+cube is the last addition of a player"),
            ("fast+cube+bearoff:6x2", "+cube is the last addition of a player"),
            ("fast+cube:2", "unknown policy 'fast+cube:2'"),
        ] {
            let error = player(text, NO_STOP).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn evaluators_are_players_that_value_positions_or_sampled() {
        for (text, name) in [("sampled", "sampled:36:uniform"), ("sampled:7:pubeval:9", "sampled:7:pubeval:9")] {
            assert_eq!(evaluator(text, NO_STOP).unwrap().name(), name);
        }
        assert_eq!(signature_of_policies(["sampled"; 2]), "5e4411ba37c678f2");
        assert_eq!(signature_of_policies(["my own"; 2]), "5e4411ba37c678f2");
        for (text, expected) in [
            ("pubeval", "is a policy: it picks plays and gives no probabilities"),
            (
                "gnubg",
                "unknown evaluator 'gnubg'; choose one of: td80, fast, strong, sampled, sampled:GAMES, \
                 sampled:GAMES:POLICY, or name the file of a player; +2ply, +cube or +bearoff:6x6 may follow",
            ),
            ("sampled:9:chess", "choose one of: uniform, pubeval"),
            ("sampled:0", "GAMES is a number 1 to 4294967295"),
            ("./none", "cannot read ./none"),
        ] {
            let error = evaluator(text, NO_STOP).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn every_built_in_player_has_the_name_it_is_found_by_and_plays_as_recorded() {
        for built_in in crate::named::built_ins() {
            let policy = policy(built_in.name).unwrap();
            assert_eq!(policy.name(), built_in.name);
            let evaluator = evaluator(built_in.name, NO_STOP);
            assert_eq!(evaluator.is_ok(), built_in.values_positions, "{}", built_in.name);
            let signature = PolicyPair::alike(policy).signature(Tier::best());
            assert_eq!(signature, built_in.signature, "{}: {signature:016x}", built_in.name);
        }
    }
}
