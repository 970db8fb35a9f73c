//! Net players: their files and their move filters.

use core::num::NonZeroU32;
use std::fs;

use crate::support::{play, random_net};
use tavli_backgammon::evaluators::{EvaluationConditions, Evaluator, PlayValue, Probabilities};
use tavli_backgammon::policies::Policy;
use tavli_backgammon::{NO_STOP, Outcome, RuleSet, Tier};
use tavli_players::named;
use tavli_players::net::{
    Activation, Encoder, IntegerNetwork, MoveFilter, NetPlayer, Network, Outputs, PlayerFile, PlayerFileError,
};

fn filter(plays: u32, margin: f32) -> MoveFilter {
    let plays = NonZeroU32::new(plays).expect("not 0");
    MoveFilter { plays, margin }
}

fn small(seed: u64) -> Network {
    let (encoder, outputs) = (Encoder::Raw198, Outputs::Cumulative);
    random_net(encoder, Activation::Logistic, outputs, &[2], seed)
}

/// A file of two small nets.
fn file() -> PlayerFile {
    PlayerFile {
        net: random_net(Encoder::Raw196, Activation::Clipped, Outputs::Doubles, &[1, 3], 8),
        prefilter: Some((filter(4, 0.08), small(9))),
        recipe: "# Zwei Netze für Tavli\ngames = 10\n".to_owned(),
    }
}

#[test]
fn files_are_read_as_they_were_written() {
    for file in [file(), PlayerFile { prefilter: None, ..file() }] {
        let bytes = file.write();
        let found = PlayerFile::read(&bytes).expect("it is whole");
        assert_eq!(found, file);
        assert_eq!(found.write(), bytes);
    }
    let text = file().write();
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').take(4).collect();
    let expected: [&[u8]; 4] = [
        b"tavli player 1",
        b"net raw196 clipped doubles 1 3",
        b"first 4 0.08 net raw198 logistic cumulative 2",
        b"recipe 35",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn every_damage_is_refused() {
    let bytes = file().write();
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let error = PlayerFile::read(&damaged).expect_err("it is damaged");
            if at < "tavli player 1\n".len() {
                assert_eq!(error, PlayerFileError::Magic);
            }
            if at >= bytes.len() - 100 {
                assert!(matches!(error, PlayerFileError::Checksum { .. }), "{error}");
            }
        }
    }
    for length in 0..bytes.len() {
        let error = PlayerFile::read(&bytes[..length]).expect_err("it is cut");
        if length > bytes.len() - 100 {
            let expected = bytes.len();
            let found = length;
            assert_eq!(error, PlayerFileError::Length { found, expected });
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(PlayerFile::read(&longer).is_err());
}

/// Two lines of a short file describe nets of a gigabyte each.
#[cfg(target_os = "linux")]
#[test]
fn a_cut_file_takes_no_memory_for_its_nets() {
    let peak = || {
        let status = fs::read_to_string("/proc/self/status").expect("Linux has it");
        let line = status.lines().find_map(|line| line.strip_prefix("VmPeak:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
        kilobytes.expect("Linux names it").parse::<u64>().expect("a number")
    };
    let net = format!("net raw196 clipped cumulative{}", " 4096".repeat(16));
    let text = format!("tavli player 1\n{net}\nfirst 2 1 {net}\nrecipe 0\n");
    let before = peak();
    let error = PlayerFile::read(text.as_bytes()).expect_err("it is cut");
    let expected = text.len() + 2 * 4 * (4096 * (197 + 15 * 4097) + 5 * 4097) + 4;
    let found = text.len();
    assert_eq!(error, PlayerFileError::Length { found, expected });
    // Other tests take memory meanwhile, but far less.
    assert!(peak() - before < 1 << 20, "{} kB", peak() - before);
}

#[test]
fn errors_name_the_place_and_the_remedy() {
    let head = "tavli player 1\n";
    for (text, expected) in [
        ("", "invalid line 2: the file ends within it"),
        ("weights\n", "invalid line 2: it does not begin with 'net'"),
        ("net raw7 clipped cumulative 8\n", "invalid line 2: unknown encoder 'raw7'; choose one of: raw196, raw198"),
        (
            "net raw196 relu cumulative 8\n",
            "invalid line 2: unknown activation 'relu'; choose one of: logistic, clipped",
        ),
        ("net raw196 clipped cumulative 8 0\n", "invalid line 2: invalid hidden layer '0': units are 1 to 4096"),
        ("net raw196 clipped cumulative\n", "invalid line 2: it has 0 hidden layers; a player has 1 to 16"),
        (
            "net raw196 clipped cumulative 8\nfirst 0 1 net raw196 clipped cumulative 8\n",
            "invalid line 3: invalid number of plays '0': write 1 or more",
        ),
        (
            "net raw196 clipped cumulative 8\nfirst 2 -1 net raw196 clipped cumulative 8\n",
            "invalid line 3: invalid margin '-1': write points, 0 or more",
        ),
        ("net raw196 clipped cumulative 8\nrecipe\n", "invalid line 3: it is not 'recipe' and a number of bytes"),
        (
            "net raw196 clipped cumulative 8\nrecipe 18446744073709551615\n",
            "it has 75 bytes, but its lines and nets need 18446744073709551615: it is cut or damaged",
        ),
    ] {
        let error = PlayerFile::read(format!("{head}{text}").as_bytes()).expect_err("invalid");
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

#[test]
fn a_file_is_a_player_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.player");
    let bytes = file().write();
    fs::write(&path, &bytes).unwrap();
    let path = path.to_str().unwrap();
    let player = named::player(path, NO_STOP).unwrap();
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let name = format!("{path}#{:08x}", crc32fast::hash(&reversed));
    assert_eq!(player.policy.name(), name);
    assert_eq!(player.evaluator.unwrap().name(), name);
    // Other weights have another name.
    let other = PlayerFile { prefilter: None, ..file() };
    fs::write(path, other.write()).unwrap();
    assert_ne!(named::player(path, NO_STOP).unwrap().policy.name(), name);
    fs::write(path, &bytes[1..]).unwrap();
    let error = named::player(path, NO_STOP).unwrap_err().to_string();
    assert!(error.contains("is not the file of a player"), "{error}");
    fs::write(path, &bytes[..bytes.len() - 1]).unwrap();
    let error = named::player(path, NO_STOP).unwrap_err().to_string();
    assert!(error.contains("it is cut or damaged"), "{error}");
}

/// The plays of a decision with fewer than `most` better ones, within `margin` of the best.
fn kept_plays(ranks: &[f32], most: usize, margin: f32) -> Vec<usize> {
    let best = ranks.iter().copied().fold(f32::MIN, f32::max);
    let is_kept = |&play: &usize| {
        let is_ahead = |other: usize| (-ranks[other], other) < (-ranks[play], play);
        let ahead = (0..ranks.len()).filter(|&other| is_ahead(other)).count();
        ahead < most && best - ranks[play] <= margin
    };
    (0..ranks.len()).filter(is_kept).collect()
}

#[test]
fn a_net_values_the_plays_that_pass_the_filter() {
    let [deep, first] = [3, 4].map(|seed| {
        let net = random_net(Encoder::Raw196, Activation::Clipped, Outputs::Cumulative, &[20, 9], seed);
        IntegerNetwork::new(&net).expect("it fits")
    });
    for (kept, margin) in [(1, 9.0), (2, 9.0), (3, 0.05), (1000, 0.02), (5000, f32::INFINITY)] {
        for &rules in RuleSet::ALL {
            play(rules, 2, |decisions| {
                let (mut ranks, mut values) = (Vec::new(), Vec::new());
                first.rank(Tier::Portable, decisions, &mut ranks);
                deep.rank(Tier::Portable, decisions, &mut values);
                let mut outcomes = vec![Probabilities::certain(Outcome::WinSingle); values.len()];
                let goes_on = |play: &usize| !rules.is_over(&decisions.results()[*play].into());
                let going: Vec<usize> = (0..values.len()).filter(goes_on).collect();
                let results: Vec<_> = going.iter().map(|&play| decisions.results()[play]).collect();
                let mut found = vec![Probabilities::certain(Outcome::WinSingle); results.len()];
                deep.evaluate(rules, Tier::Portable, &results, &mut found);
                for (play, value) in going.into_iter().zip(found) {
                    outcomes[play] = value;
                }
                let mut picks = vec![0; decisions.len()];
                for &tier in Tier::available() {
                    let player = NetPlayer::new("two", deep.clone());
                    let player = player.after(filter(kept, margin), first.clone());
                    player.pick(&decisions.clone().with_tier(tier), &mut picks, NO_STOP).expect("nothing stops it");
                    let best_plays = player
                        .best_plays(&EvaluationConditions::new(rules, tier), decisions)
                        .expect("nothing stops it");
                    for (decision, (&pick, best)) in picks.iter().zip(best_plays).enumerate() {
                        let plays = decisions.offsets()[decision]..decisions.offsets()[decision + 1];
                        let kept = kept_plays(&ranks[plays.clone()], kept as usize, margin);
                        let (values, results) = (&values[plays.clone()], &decisions.results()[plays.clone()]);
                        let most = kept.iter().map(|&play| values[play]).fold(f32::MIN, f32::max);
                        let expected = kept.iter().find(|&&play| values[play] == most);
                        assert_eq!(Some(&(pick as usize)), expected, "{rules}, {kept:?}, {tier}");
                        let value = |play: usize| match rules.outcome(&results[play].into()) {
                            Some(over) => Probabilities::certain(over),
                            None => outcomes[plays.start + play],
                        };
                        // For the value alone fewer plays pass.
                        let kept = kept_plays(&ranks[plays.clone()], kept.len().min(2), margin.min(0.08));
                        let equity = |&&play: &&usize| value(play).equity();
                        let least = kept.iter().min_by(|a, b| equity(a).total_cmp(&equity(b)));
                        let index = *least.expect("a play is kept");
                        let expected = PlayValue { index: index as u32, value: value(index) };
                        assert_eq!(best, expected, "{rules}, {kept:?}, {tier}");
                    }
                }
            });
        }
    }
}

#[test]
fn a_file_has_learned_the_rules_of_its_recipe() {
    let folder = tempfile::tempdir().unwrap();
    for (recipe, learned, strange) in [
        ("seed = 1\nrules = \"hypergammon\"\n", &["hypergammon"][..], &["backgammon", "mcgammon", "longgammon"][..]),
        ("seed = 1\n", &["backgammon", "nackgammon", "portes"], &["hypergammon", "mcgammon", "longgammon"]),
        ("rules = \"mcgammon\"\n", &["mcgammon"], &["backgammon", "portes"]),
    ] {
        let path = folder.path().join("net.player");
        let file = PlayerFile { net: small(9), prefilter: None, recipe: recipe.to_owned() };
        fs::write(&path, file.write()).unwrap();
        let player = named::evaluator(&format!("{}+bearoff:6x6", path.to_str().unwrap()), NO_STOP).unwrap();
        let remark = |rules: &str| named::remark_on_values(player.name(), rules.parse().unwrap());
        for rules in learned {
            assert_eq!(remark(rules), None, "{recipe}");
        }
        for rules in strange {
            let reason = format!(", since the recipe in its file trained it for {}", learned[0]);
            let name = player.name();
            let expected = format!("the player '{name}' has not learned {rules}: its values are far off{reason}");
            assert_eq!(remark(rules), Some(expected), "{recipe}");
        }
    }
}
