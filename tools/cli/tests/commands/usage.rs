//! Bad arguments and input: the exit status and the message.

use tavli::named;

use crate::support::{OPENING, OPENING_31, errors, json, parse, run, run_with_input, scratch_file, tavli, text};

#[test]
fn invalid_arguments_exit_2_with_a_reason() {
    for (arguments, message) in [
        ("playout --games 0", "whole number 1 to 18446744073709551615"),
        ("playout --games -5", "'-5'"),
        ("playout --games 1.5", "'1.5'"),
        ("playout --games 18446744073709551616", "whole number 1 to 18446744073709551615"),
        ("playout --seconds 0", "above 0"),
        ("playout --seconds -1", "above 0"),
        ("playout --seconds nan", "above 0"),
        ("playout --seconds inf", "above 0"),
        ("playout --seconds soon", "above 0"),
        ("playout --games 5 --seconds 1", "cannot be used with"),
        ("playout --occupancy", "--truncate"),
        ("playout --truncate 0", "1 to 4294967295"),
        ("playout --truncate 4294967296", "1 to 4294967295"),
        ("playout --threads 0", "1 to 4096"),
        ("playout --threads 4097", "1 to 4096"),
        ("playout --seed -1", "'-1'"),
        ("playout --seed 18446744073709551616", "18446744073709551616"),
        ("playout --first-game x", "'x'"),
        ("playout --games 2 --first-game 18446744073709551614", "last game number, 18446744073709551614"),
        ("play fast --first-game 18446744073709551615", "last game number, 18446744073709551614"),
        ("playout --pin everywhere", "choose cores, compact, spread, none, auto, threads, l3"),
        ("playout --pin numa:far", "not one of compact, spread"),
        ("playout --pin 3-1", "write 1-3"),
        ("playout --pin 0,0", "twice"),
        ("playout --pin 65535", "this process may not use CPU 65535"),
        ("playout --pin 0,", "write a list such as 0,2-5"),
        ("playout --isa sse9", "this CPU has: "),
        ("playout --rules chess", "choose backgammon, mcgammon"),
        ("playout --policy gnubg", "choose one of: uniform, pubeval"),
        ("rollout 4HPwATDgc/ABMA --policy-opponent Uniform", "choose one of: uniform, pubeval"),
        ("playout --first-roll 37", "two digits 1 to 6"),
        ("rollout 4HPwATDgc/ABMA --trials 72057594037927937", "trials are a whole number 1 to 72057594037927936"),
        (
            "search 4HPwATDgc/ABMA 31 --simulations 0",
            "with this number of trees, simulations are a whole number 1 to 8589934592, not 0",
        ),
        ("rollout 4HPwATDgc/ABMA 31 --play 8/5,6/5 --play xx", "invalid play 'xx': "),
        ("search 4HPwATDgc/ABMA 31 --evaluator fast", "for --bias and --unprune"),
        ("search start --game draughts --method alphabeta --simulations 3", "not for alphabeta"),
        (
            "evaluate XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:4:0:7:10 --match 5",
            "the position has the score 3-4: add --score",
        ),
        ("evaluate --layout xg", "lines are answered in a table"),
        (
            "rollout 4HPwATDgc/ABMA --evaluator strong",
            "<--truncate <D|none>|--variance-reduction|--within <POINTS>> <POSITION>",
        ),
        (
            "rollout start --game fevga --policy none.player",
            "cannot use none.player as a net of fevga: there is no such file",
        ),
        ("search start 31 --game fevga --method expectimax --evaluator material", "tavli3d, ends, strong, or FILE"),
        ("duel random random --game draughts --save d.mat", "games of draughts are saved as FILE.pdn"),
        ("play random random --game draughts --save d.txt", "games of draughts are saved as FILE.pdn"),
        ("duel fast fast --save d.pdn", "saved as FILE.mat, FILE.txt or FILE.sgf"),
        ("duel fast fast --save d.xg", "saved as FILE.mat, FILE.txt or FILE.sgf"),
        ("play fast fast --save d", "saved as FILE.mat, FILE.txt or FILE.sgf"),
        ("search 4HPwATDgc/ABMA 31 --expand 0", "write a whole number, 1 or more"),
        ("serve --most-jobs 0", "write a whole number, 1 or more"),
        ("rollout 4HPwATDgc/ABMA --stop-se x", "write a number above 0"),
        ("met --gammons x", "write a number, such as 0.05"),
        ("playout --seed x", "'x' for '--seed <S>': write a whole number, 0 or more"),
        ("playout --seed -1", "'-1' for '--seed <S>': write a whole number, 0 or more"),
        ("playout --seed 18446744073709551616", "the number is too large"),
        ("perft start 13", "'13' for '<DEPTH>': write a whole number 1 to 12"),
        ("perft start x", "'x' for '<DEPTH>': write a whole number 1 to 12"),
        ("--json playout", "error: write '--json' after the command: tavli playout --json\n\nUsage: tavli"),
        (
            "--threads 3 --json playout",
            "write '--threads <T>' and '--json' after the command: tavli playout --threads <T> --json\n",
        ),
        ("rollout 4HPwATDgc/ABMA --filter 0.1", "write the ROLL after the position"),
        ("solve draughts --pieces 2 B:WK7:B5", "cannot be used with"),
        ("bearoff --one-sided 3 4HPwATDgc/ABMA --output x.bd", "cannot be used with"),
        ("playout --games 1 --force", "--force has no effect here, since no file is written"),
        ("duel random random --game draughts --force", "--force has no effect here, since no file is written"),
        ("met --force", "--force has no effect here, since no file is written"),
        ("evaluate 4HPwATDgc/ABMA 31 --keep 3 --look-ahead 0", "--look-ahead 0 looks on from none"),
        ("serve --listen foo", "cannot listen at foo"),
        ("serve --listen 127.0.0.1:99999", "give HOST:PORT, such as 127.0.0.1:8080"),
        ("external foo", "give HOST:PORT, such as 127.0.0.1:1234"),
        ("met --gammons 0.9 --backgammons 0.2", "is 0.2: write a number of 0 to 0.1\n"),
        ("play search:-1 uniform", "invalid search 'search:-1': write search:N"),
        ("evaluate 4HPwATDgc/ABMA --evaluator strong+5ply", "'+5ply': write +1ply to +4ply after"),
        ("bearoff", "--one-sided"),
        ("bearoff --one-sided 6", "--output"),
        ("bearoff --one-sided 0 --output x.bd", "whole number 1 to 20"),
        ("bearoff --one-sided 24 --output x.bd", "whole number 1 to 20"),
        ("bearoff --two-sided 6 --output x.bd", "such as 6x6"),
        ("bearoff --two-sided 13x1 --output x.bd", "1 to 12"),
        ("bearoff --two-sided 6x16 --output x.bd", "such as 6x6"),
        ("bearoff --two-sided 6x15 --one-sided 6 --output x.bd", "cannot be used with"),
        ("bearoff --one-sided 6 --format exact --output x.bd", "gnubg"),
        ("bearoff --table x.bd", "POSITION"),
        ("solve", "hypergammon"),
        ("solve hypergammon", "--output"),
        ("solve hypergammon --table x.tab", "POSITION"),
        ("solve hypergammon --output x.tab --opening", "cannot be used with"),
        ("solve hypergammon --table x.tab --opening 4HPwATDgc/ABMA", "cannot be used with"),
        // Options that would change nothing.
        ("rollout 4HPwATDgc/ABMA --checkpoint 1", "--save <FILE>"),
        ("rollout 4HPwATDgc/ABMA --json --layout xg", "cannot be used with"),
        ("evaluate 4HPwATDgc/ABMA --csv --layout xg", "cannot be used with"),
        ("evaluate 4HPwATDgc/ABMA --json --layout both", "cannot be used with"),
        ("met --length 3 --output x.xml", "this one is written as it is, with 25 points: leave it out"),
        ("met --json --output x.xml", "cannot be used with"),
        // The remedies of errors work.
        (
            "rollout ADAAAQAkIAAAAA --cube 1 --rules hypergammon",
            "to value without the cube, write --cubeless in place of --cube\n",
        ),
        (
            "evaluate ADAAAQAkIAAAAA --match 3 --score 1-2 --rules hypergammon",
            "to value without the cube, write --cubeless in place of --match, --score\n",
        ),
        ("evaluate ADAAAQAkIAAAAA:cAgAAAAAAAAA --rules hypergammon", "to value without the cube, add --cubeless\n"),
        ("rollout 4HPwATDgc/ABMA --cube 1 --policy uniform", "without cube: write --cubeless in place of --cube\n"),
        ("playout --bearoff 0x0", "write 6x6 for a two-sided table"),
        ("position 4HPwATDgc/ABMA --rules hypergammon", "has 15 checkers; a side has at most 3 in hypergammon"),
        ("playout begin", "is not a position"),
        ("playout 4HPwATDgc/ABM*", "4HPwATDgc/ABM*"),
        ("playout --gmaes 5", "--games"),
        ("plays 4HPwATDgc/ABMA", "the position has no dice: write the ROLL after it"),
        ("plays 4HPwATDgc/ABMA 07", "two digits 1 to 6"),
        ("plays 4HPwATDgc/ABMA 31 5", "unexpected argument '5'"),
        ("bench --save -", "name a file"),
        ("perft 4HPwATDgc/ABMA", "<DEPTH>"),
        ("perft 4HPwATDgc/ABMA 0", "whole number 1 to 12"),
        ("perft 4HPwATDgc/ABMA -1", "whole number 1 to 12"),
        ("perft 4HPwATDgc/ABMA 13", "whole number 1 to 12"),
        ("position 4HPwATDgc/ABMA 4HPwATDgc/ABMA", "unexpected argument"),
        ("signature --isa none", "this CPU has: "),
        ("completions tcsh", "bash"),
        ("man chess", "the commands are playout"),
        ("chess", "unrecognized"),
        ("--games 5", "unexpected argument"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
        assert!(text(&output).is_empty(), "{arguments}: {}", text(&output));
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_named() {
    use std::os::unix::ffi::OsStrExt;
    for before in [&["playout"][..], &["evaluate", "--evaluator"]] {
        let argument = std::ffi::OsStr::from_bytes(b"stro\xffng");
        let output = tavli().args(before).arg(argument).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2), "{before:?}: {output:?}");
        let said = "error: 'stro\u{fffd}ng': it is not UTF-8 text, as every argument except the name of a file must be";
        assert!(errors(&output).starts_with(said), "{before:?}: {}", errors(&output));
    }
}

#[test]
fn rolls_that_contradict_the_dice_of_a_position_exit_2() {
    for (arguments, message) in [
        (format!("plays {OPENING_31} 65"), "the position has the roll 31, not 65; leave one of them out"),
        (
            format!("playout {OPENING_31} --first-roll 65 --games 1"),
            "the position has the roll 31, and --first-roll is 65; leave --first-roll out, or write the position \
             without dice",
        ),
        (
            format!("playout {OPENING_31} --first-roll any --games 1"),
            "the position has the roll 31, and --first-roll is any",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
        assert!(errors(&output).contains(message), "{arguments}: {}", errors(&output));
        assert!(text(&output).is_empty(), "{arguments}: {}", text(&output));
    }
}

#[test]
fn help_texts_list_every_player_and_every_evaluator() {
    let help = |command: &str| {
        let help = text(&run(&format!("{command} --help"))).to_owned();
        help.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for command in ["playout", "rollout", "signature", "search", "duel", "play"] {
        let help = help(command);
        assert!(help.contains(&named::list_of_policies()), "{command}: {help}");
    }
    for command in ["evaluate", "rollout", "search", "play"] {
        let help = help(command);
        assert!(help.contains(&named::list_of_evaluators()), "{command}: {help}");
    }
}

#[test]
fn the_help_and_the_guide_name_every_rule_set() {
    let guide = include_str!("../../../../kernel/docs/rules.md");
    for rules in tavli::RuleSet::ALL {
        for command in ["playout", "plays", "perft", "rollout", "profile"] {
            let help = text(&run(&format!("{command} --help"))).replace('\n', " ");
            let words = help.split(|c: char| !c.is_alphanumeric());
            assert!(words.into_iter().any(|word| word == rules.name()), "{command}: {rules}");
        }
        assert!(guide.contains(&format!("| `{rules}` |")), "the table of the guide lacks {rules}");
    }
}

#[test]
fn the_help_lists_the_rules_of_every_game() {
    let shown = run("playout --help");
    let help = text(&shown).split_whitespace().collect::<Vec<_>>().join(" ");
    for rules in [
        "tictactoe: standard",
        "draughts: english, report, optional",
        "plakoto: default, mother=immediate, pinned_blocks_bearoff=no",
        "fevga: default, r1=step,",
    ] {
        assert!(help.contains(rules), "{rules}: {help}");
    }
}

#[test]
fn games_begin_at_the_start_of_their_rules() {
    for rules in tavli::RuleSet::ALL {
        let output = run(&format!("playout --games 10 --json --rules {rules}"));
        let result = parse(&output);
        assert_eq!(result["rules"], rules.name());
        assert_eq!(result["position_id"], rules.start().position_id().as_str());
    }
}

#[test]
fn positions_without_a_game_are_refused() {
    let numbers = |own: &str, opponent: &str| {
        let mut points = ["0"; 26];
        points[1] = own;
        points[24] = opponent;
        points.join(" ")
    };
    // Six closed points on both sides, and both on the bar.
    let deadlock = "-2 2 2 2 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 -2 -2 -2 -2 -2 -2 2";
    for (position, rules, message) in [
        (numbers("0", "0"), "backgammon", "neither side has a checker"),
        (numbers("2", "0"), "backgammon", "already over"),
        (numbers("2", "-2"), "mcgammon", "already over in the position"),
        (numbers("16", "-2"), "backgammon", "at most 15"),
        (deadlock.to_owned(), "backgammon", "never end"),
        (numbers("4", "-2"), "hypergammon", "at most 3 in hypergammon"),
    ] {
        let output = tavli().args(["playout", &position, "--rules", rules, "--games", "1"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{position}: {output:?}");
        assert!(errors(&output).contains(message), "{position}: {}", errors(&output));
    }
    let (home, over) = (numbers("2", "-2"), numbers("2", "0"));
    for [name, last] in [["plays", "31"], ["perft", "1"], ["rollout", "31"]] {
        for [position, rules] in [[&home, "mcgammon"], [&over, "backgammon"]] {
            let output = tavli().args([name, position, last, "--rules", rules]).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{name}: {output:?}");
            assert!(errors(&output).contains("already over"), "{name}");
        }
    }
    // A finished game is drawn and written like any position.
    let output = tavli().args(["position", &over]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(text(&output).contains("XGID=-B"), "{}", text(&output));
}

#[test]
fn a_position_may_begin_with_a_dash() {
    let numbers = "-1 -1 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0";
    let output = tavli().args(["position", numbers, "--json"]).output().unwrap();
    assert_eq!(parse(&output)["points"][0], -1);
    let xgid = "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    assert_eq!(json(&format!("position {xgid} --json"))["position_id"], OPENING);
}

#[test]
fn failures_while_running_exit_1() {
    if cfg!(target_os = "linux") {
        let output = run("playout --games 100000 --per-game /dev/full");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(errors(&output).contains("cannot write to /dev/full"), "{}", errors(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_of_every_command_that_prints() {
    let table = scratch_file("full.bd");
    let table = table.display();
    assert!(run(&format!("bearoff --two-sided 1x1 --force --output {table}")).status.success());
    for arguments in [
        "--version",
        "--help",
        "-h",
        "help playout",
        "playout --help",
        "--seconds 0.01",
        "playout --games 1",
        "playout --games 1 --json",
        "playout --games 1 --per-game -",
        "rollout 4HPwATDgc/ABMA --trials 1",
        "rollout 4HPwATDgc/ABMA --trials 1 --json",
        "duel pubeval uniform --games 2",
        "evaluate 4HPwATDgc/ABMA --evaluator td80",
        "search 4HPwATDgc/ABMA 31 --simulations 10",
        "play uniform uniform",
        "plays 4HPwATDgc/ABMA 31",
        "perft 4HPwATDgc/ABMA 1",
        "position 4HPwATDgc/ABMA",
        "position 4HPwATDgc/ABMA --json",
        &format!("bearoff --table {table} AQAABAAAAAAAAA"),
        "signature",
        "topology",
        "topology --json",
        "bench movegen --warm-up 0.001 --seconds 0.001 --repetitions 1",
        "completions bash",
        "completions elvish",
        "man",
        "man playout",
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = tavli().args(arguments.split(' ')).stdout(full.unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}: {output:?}");
        assert!(
            errors(&output).contains("cannot write to standard output: No space left"),
            "{arguments}: {}",
            errors(&output)
        );
    }
    // Help that goes with an error is not the output of a command.
    let full = std::fs::File::options().write(true).open("/dev/full");
    let output = tavli().arg("--nonsense").stderr(full.unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    std::fs::remove_file(table.to_string()).unwrap();
}

/// Two tabs before the roll would leave it in the third column, where it was once ignored.
#[test]
fn a_roll_behind_an_empty_column_is_refused() {
    for command in ["evaluate", "plays", "rollout --positions - --trials 36 --truncate 2"] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let output = run_with_input(&arguments, b"4HPwATDgc/ABMA\t\t31\n4HPwATDgc/ABMA\t31\tmine\n");
        assert_eq!(output.status.code(), Some(1), "{command}");
        let said = "line 1: '4HPwATDgc/ABMA\\t\\t31' has no roll in its second column: write a position, one tab";
        assert!(errors(&output).contains(said), "{command}: {}", errors(&output));
        assert!(text(&output).contains("4HPwATDgc/ABMA"), "{command}: {}", text(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn inputs_without_end_are_refused() {
    let refused = |arguments: &str, input: &str| {
        let input = std::fs::File::open(input).unwrap();
        let output = tavli().args(arguments.split(' ')).stdin(input).output().unwrap();
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments}: {:?}", output.status);
        errors(&output).to_owned()
    };
    let too_large = "it has more than 268435456 bytes, the most that are read";
    let merged = scratch_file("merged.json");
    for (arguments, error) in [
        ("playout --games 1 --policy /dev/zero", too_large),
        ("rollout 4HPwATDgc/ABMA --bearoff /dev/zero", too_large),
        (&*format!("merge /dev/zero -o {}", merged.display()), "it is the record of neither a rollout nor a search"),
        ("bearoff --table /dev/zero AQAAAAEAAAAAAA", too_large),
        ("profile /dev/zero", too_large),
        ("solve draughts --table /dev/zero B:WK7:B5", too_large),
        ("search B:WK7:B5 --game draughts --endgames /dev/zero", too_large),
        ("hub --endgames /dev/zero", too_large),
        ("analyze /dev/zero", "it has more than 16777216 bytes, the most that are read"),
        ("train /dev/zero", "it has more than 16777216 bytes, the most that are read"),
        ("bench /dev/zero", "it has more than 16777216 bytes, the most that are read"),
        ("solve hypergammon --table /dev/zero --opening", "it is not a table of hypergammon"),
        ("rollout --positions /dev/zero --trials 1", "cannot read /dev/zero: a line has more than 268435456 bytes"),
        ("playout --positions /dev/zero", "cannot read /dev/zero: a line has more than 268435456 bytes"),
    ] {
        let said = refused(arguments, "/dev/null");
        assert!(said.contains(error), "{arguments}: {said}");
    }
    for arguments in ["plays", "position", "play pubeval", "rollout --positions - --trials 1"] {
        let said = refused(arguments, "/dev/zero");
        assert!(said.contains("a line has more than 268435456 bytes"), "{arguments}: {said}");
    }
}

#[test]
fn a_refused_run_leaves_files_alone() {
    let file = scratch_file("kept.csv");
    std::fs::write(&file, "precious").unwrap();
    let output = run(&format!("playout --pin 65535 --per-game {}", file.display()));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn bad_lines_are_reported_and_the_others_answered() {
    let input =
        b"# comment\n\n4HPwATDgc/ABMA\t31\r\nx\t31\n4HPwATDgc/ABMA\n4HPwATDgc/ABMA\t3\n\xff\n4HPwATDgc/ABMA\t66";
    let output = run_with_input(&["plays"], input);
    assert_eq!(output.status.code(), Some(1));
    let answers: Vec<&str> = text(&output).lines().collect();
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers[0].starts_with("4HPwATDgc/ABMA\t31\t16\t0FfwATDgc/ABMA,"));
    assert!(answers[1].starts_with("4HPwATDgc/ABMA\t66\t"));
    for part in [
        "line 4: 'x' is not a position",
        "line 5: '4HPwATDgc/ABMA' is not a position, a tab and a roll",
        "line 6: '3' is not a roll",
        "line 7: it is not UTF-8 text",
    ] {
        assert!(errors(&output).contains(part), "{part}: {}", errors(&output));
    }
    // A roll has no column in playouts: all lines have one first roll.
    let output = run_with_input(&["playout", "--positions", "-", "--games", "2"], b"4HPwATDgc/ABMA\t31\n");
    let said = "'4HPwATDgc/ABMA\\t31' is a position and the roll 31: lines here are positions alone, and --first-roll";
    assert!(errors(&output).contains(said), "{}", errors(&output));
    let output = run_with_input(&["position", "--json"], b"nonsense\n4HPwATDgc/ABMA\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output).lines().count(), 1);
    assert!(errors(&output).contains("line 1: 'nonsense' is not a position"));
}

#[test]
fn help_and_version_succeed() {
    for arguments in ["--help", "-h", "--version", "playout --help", "plays --help", "man", "man playout"] {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments}");
        assert!(text(&output).contains("tavli"), "{arguments}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&format!("completions {shell}"));
        assert!(output.status.success() && text(&output).contains("playout"), "{shell}");
    }
}

#[test]
fn the_environment_chooses_the_tier() {
    let tier = |name: &str| tavli().env("TAVLI_ISA", name).args(["signature", "--json"]).output().unwrap();
    let portable = parse(&tier("portable"));
    assert_eq!(portable["isa"], "portable");
    assert_eq!(portable["signature"], json("signature --json")["signature"]);
    // An empty variable counts as none.
    assert_eq!(parse(&tier(""))["isa"], json("signature --json")["isa"]);
    let unknown = tier("sse9");
    assert_eq!(unknown.status.code(), Some(2));
    let said = errors(&unknown);
    assert!(
        said.contains("the environment variable TAVLI_ISA: 'sse9' is not") && said.contains("this CPU has: "),
        "{said}"
    );
    // An option comes before it, and commands without a tier do not read it.
    for command in ["signature --isa portable", "topology", "bench --list"] {
        let mut command_line = tavli();
        let output = command_line.env("TAVLI_ISA", "sse9").args(command.split(' ')).output();
        assert!(output.unwrap().status.success(), "{command}");
    }
}

#[test]
fn more_threads_than_cpus_are_remarked_upon() {
    let machine = json("topology --json");
    let allowed = machine["cpus_allowed"].as_array().unwrap();
    let (number, first) = (allowed.len(), &allowed[0]);
    let plural = if number == 1 { "" } else { "s" };
    let one_more = format!(
        "remark: {} threads share {number} CPU{plural} and wait for each other: use --threads {number} or fewer",
        number + 1
    );
    let on_one = "remark: 2 threads share 1 CPU and wait for each other: use --threads 1 or fewer";
    let placements = [
        (format!("--threads {} --pin none", number + 1), vec![one_more.as_str()]),
        (format!("--threads 2 --pin {first}"), vec![on_one]),
        (format!("--threads 1 --pin {first}"), vec![]),
    ];
    for command in [
        "playout --games 1",
        "playout --games 1 --json",
        "rollout 4HPwATDgc/ABMA --trials 1 --json",
        "bench soak --warm-up 0.001 --seconds 0.001 --repetitions 1",
    ] {
        for (options, remarks) in &placements {
            let output = run(&format!("{command} {options}"));
            assert!(output.status.success(), "{command} {options}: {output:?}");
            let lines: Vec<&str> = errors(&output).lines().collect();
            assert_eq!(lines, *remarks, "{command} {options}");
            if command.ends_with("--json") {
                assert_eq!(parse(&output)["remarks"], serde_json::json!(remarks));
            }
        }
    }
}

#[test]
fn old_names_are_taken_with_a_remark() {
    for (old, new, remark) in [
        ("match pubeval uniform --games 4", "duel pubeval uniform --games 4", "note: tavli match is now tavli duel\n"),
        ("playout --games 9 --plies 3", "playout --games 9 --truncate 3", "note: --plies is now --truncate\n"),
        (
            "rollout 4HPwATDgc/ABMA --policy uniform --trials 9 --plies 3",
            "rollout 4HPwATDgc/ABMA --policy uniform --trials 9 --truncate 3 --evaluator none",
            "note: --plies D is now --truncate D --evaluator none\n",
        ),
        (
            "rollout 4HPwATDgc/ABMA --policy uniform --trials 2 --luck-adjusted --evaluator sampled:1",
            "rollout 4HPwATDgc/ABMA --policy uniform --trials 2 --variance-reduction --evaluator sampled:1",
            "note: --luck-adjusted is now --variance-reduction\n",
        ),
        (
            "evaluate 4HPwATDgc/ABMA --evaluator sampled:1 --plies=1",
            "evaluate 4HPwATDgc/ABMA --evaluator sampled:1 --look-ahead=1",
            "note: --plies is now --look-ahead\n",
        ),
        (
            "evaluate 4HPwATDgc/ABMA --player sampled:1",
            "evaluate 4HPwATDgc/ABMA --evaluator sampled:1",
            "note: --player is now --evaluator\n",
        ),
        (
            "rollout 4HPwATDgc/ABMA --player uniform --trials 2",
            "rollout 4HPwATDgc/ABMA --policy uniform --trials 2",
            "note: --player is now --policy\n",
        ),
    ] {
        let [old, new] = [old, new].map(|arguments| run(&format!("{arguments} --json")));
        assert_eq!((errors(&old), errors(&new)), (remark, ""));
        let [old, new] = [old, new].map(|output| {
            let mut result = parse(&output);
            let object = result.as_object_mut().expect("an object");
            object.retain(|name, _| {
                !name.contains("second") && !name.contains("cycles") && !name.contains("ns_per") && name != "clock"
            });
            result
        });
        assert_eq!(old, new);
    }
    let help = run("rollout --help");
    for old in ["--plies", "--luck-adjusted", "--player"] {
        assert!(!text(&help).contains(old), "{old}");
    }
}

#[test]
fn games_cut_off_without_a_value_have_no_luck_to_subtract() {
    for options in [
        "--truncate 3 --evaluator none --variance-reduction",
        "--plies 3 --variance-reduction",
        "--evaluator none --variance-reduction",
    ] {
        let output = run(&format!("rollout 4HPwATDgc/ABMA --policy td80 --trials 2 {options}"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let message = "variance reduction needs an evaluator, and the evaluator is none: leave one of the two out";
        assert!(errors(&output).contains(message), "{output:?}");
    }
}

#[test]
fn no_tip_names_an_old_name() {
    for (arguments, old) in [
        ("evaluate --policy fast", "--plies"),
        ("rollout --luck fast", "--luck-adjusted"),
        ("rollout --plie 3", "--plies"),
        ("search --valu wins", "--value"),
        ("matc fast strong", "match"),
        ("mat a.png", "match"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(!errors(&output).contains(&format!("'{old}'")), "{output:?}");
    }
    for (arguments, tip) in [("evaluate --evaluato fast", "'--evaluator'"), ("mat a.png", "'man'")] {
        let output = run(arguments);
        assert!(errors(&output).contains(tip), "{output:?}");
    }
}
