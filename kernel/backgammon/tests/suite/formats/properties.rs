//! Properties of the codecs: random positions come back from every format, and no text makes one panic.

use proptest::prelude::*;
use tavli_backgammon::{Board, Context, Cube, GameState, Position, Roll, Seat, Side, Stakes, TurnStage, Win};

/// Any two sides that share no point, each with at most 15 checkers; now and then one has none left.
fn boards() -> impl Strategy<Value = Board> {
    let checkers = || {
        prop_oneof![
            9 => prop::collection::vec((1u8..=25, any::<bool>()), 1..=15),
            1 => Just(Vec::new()),
        ]
    };
    (checkers(), checkers()).prop_filter_map("both sides on every point", |(own, opponent)| {
        let mut counts = [[0; 26]; 2];
        for (point, _) in own {
            counts[0][usize::from(point)] += 1;
        }
        for (point, bar) in opponent {
            let free = point == 25 || counts[0][25 - usize::from(point)] == 0;
            if free {
                counts[1][usize::from(point)] += 1;
            } else if bar {
                counts[1][25] += 1;
            }
        }
        Board::new(&counts[0], &counts[1]).ok()
    })
}

fn players() -> impl Strategy<Value = Side> {
    prop_oneof![Just(Side::OnRoll), Just(Side::Opponent)]
}

fn stages() -> impl Strategy<Value = TurnStage> {
    prop_oneof![
        Just(TurnStage::ToRoll),
        prop::sample::select(&Roll::ALL[..]).prop_map(TurnStage::Rolled),
        Just(TurnStage::Doubled),
        Just(TurnStage::Beavered),
        Just(TurnStage::Raccooned),
    ]
}

fn stakes() -> impl Strategy<Value = Stakes> {
    prop_oneof![
        (any::<bool>(), any::<bool>()).prop_map(|(jacoby, beavers)| Stakes::Money { jacoby, beavers }),
        // 9999 stands for money in a FIBS line.
        (prop_oneof![1..30u16, 1..9999u16, 10000..=32767u16], any::<bool>())
            .prop_map(|(length, crawford)| Stakes::Match { length, crawford }),
    ]
}

/// Contexts of games in progress without a resignation: the contexts of XGIDs.
fn contexts() -> impl Strategy<Value = Context> {
    let cube = (0..=15u8, prop::option::of(players()), 0..=15u8).prop_map(|(log2, owner, max_log2)| Cube {
        log2: log2.min(max_log2),
        owner,
        max_log2,
    });
    let seats = prop_oneof![Just(Seat::Top), Just(Seat::Bottom)];
    let scores = prop_oneof![0..30u16, 0..=32767u16];
    (seats, stages(), cube, stakes(), scores.clone(), scores).prop_filter_map(
        "a contradiction",
        |(seat, stage, cube, stakes, score, opponent_score)| {
            let mut context = Context { seat, stage, cube, stakes, score, opponent_score, ..Context::default() };
            if let Stakes::Match { length, crawford } = stakes {
                context.score %= length;
                context.opponent_score %= length;
                if crawford {
                    context.score = length - 1;
                }
            }
            context.decision = context.awaited();
            context.check().is_ok().then_some(context)
        },
    )
}

/// The context after a trip through a Match ID.
fn without_beavers(mut context: Context) -> Context {
    if let Stakes::Money { beavers, .. } = &mut context.stakes {
        *beavers = false;
    }
    if matches!(context.stage, TurnStage::Beavered | TurnStage::Raccooned) {
        context.stage = TurnStage::Doubled;
    }
    context.decision = context.awaited();
    context.cube.max_log2 = context.cube.log2.max(10);
    context
}

/// The context after a trip through a FIBS line.
fn as_in_fibs(context: Context) -> Context {
    let mut context = without_beavers(context);
    match &mut context.stakes {
        Stakes::Money { jacoby, .. } => *jacoby = false,
        Stakes::Match { crawford, .. } => *crawford &= context.score != context.opponent_score,
    }
    context
}

/// The context after a trip through an OGID.
fn as_in_ogid(context: Context) -> Context {
    let mut context = without_beavers(context);
    if let Stakes::Money { jacoby, .. } = &mut context.stakes {
        *jacoby = false;
    }
    context
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn boards_come_back(board in boards()) {
        let id = board.position_id();
        prop_assert_eq!(Board::from_position_id(&id), Ok(board));
        prop_assert_eq!(Board::from_points(&board.points()), Ok(board));
        let mut mirrored = board.swapped().points().map(|number| -number);
        mirrored.reverse();
        prop_assert_eq!(board.points(), mirrored);
        let position = Position::from(board);
        prop_assert_eq!(id.parse(), Ok(position));
        prop_assert_eq!(position.fibs().parse(), Ok(position));
        prop_assert_eq!(position.ogid().parse(), Ok(position));
        prop_assert_eq!(position.xgid().parse(), Ok(position));
    }

    /// A position is read from a text that has its IDs among other words, or is refused.
    #[test]
    fn pasted_positions_come_back(
        board in boards(), context in contexts(), before in "[a-z =:,.(\n]{0,20}", after in "[ ,.)&?\n][a-z =:,.(\n]{0,20}",
    ) {
        let position = Position::new(board, context).unwrap();
        let ids = Position::new(board, without_beavers(context)).unwrap();
        // Letters that are joined to an OGID count as its checkers.
        let is_joined = before.ends_with(|c: char| c.is_ascii_alphanumeric());
        let before_ogid = if is_joined { "" } else { &before };
        for (text, meant, before) in [
            (position.xgid(), position, &*before),
            (position.ogid(), Position::new(board, as_in_ogid(context)).unwrap(), before_ogid),
            (format!("{}:{}", position.position_id(), position.match_id()), ids, &before),
            (format!("{}:{}", position.match_id(), position.position_id()), ids, &before),
        ] {
            let encoded = text.replace('+', "%2B").replace('/', "%2F").replace(':', "%3A");
            for text in [text, encoded] {
                if let Ok(read) = format!("{before}{text}{after}").parse::<Position>() {
                    prop_assert_eq!(read, meant);
                }
                prop_assert_eq!(format!("look: \n {text}{after}").parse(), Ok(meant));
            }
        }
    }

    #[test]
    fn positions_come_back(board in boards(), context in contexts()) {
        let position = Position::new(board, context).unwrap();
        let xgid = position.xgid();
        prop_assert_eq!(xgid.parse(), Ok(position));
        prop_assert_eq!(xgid.trim_start_matches("XGID=").parse(), Ok(position));

        let ids = format!("{}:{}", position.position_id(), position.match_id());
        let read: Position = ids.parse().unwrap();
        prop_assert_eq!(read, Position::new(board, without_beavers(context)).unwrap());
        prop_assert_eq!(read.match_id(), position.match_id());
        // Everything that both an XGID and a Match ID hold survives the round trip.
        prop_assert_eq!(read.xgid().parse(), Ok(read));

        let read: Position = position.fibs().parse().unwrap();
        prop_assert_eq!(read, Position::new(board, as_in_fibs(context)).unwrap());

        let read: Position = position.ogid().parse().unwrap();
        prop_assert_eq!(read, Position::new(board, as_in_ogid(context)).unwrap());
    }

    /// A Match ID holds resignations and finished games as well.
    #[test]
    fn match_ids_come_back(
        context in contexts(),
        resignation in prop::option::of(prop_oneof![Just(Win::Single), Just(Win::Gammon), Just(Win::Backgammon)]),
        state in prop_oneof![
            Just(GameState::NotStarted), Just(GameState::Playing), Just(GameState::Over),
            Just(GameState::Resigned), Just(GameState::Dropped),
        ],
        decision in players(),
    ) {
        let mut context = without_beavers(context);
        context.resignation = resignation;
        context.state = state;
        context.decision = if state == GameState::Playing { context.awaited() } else { decision };
        let id = Position::new(Board::START, context).unwrap().match_id();
        prop_assert_eq!(Context::from_match_id(&id), Ok(context));
    }

    #[test]
    fn drawings_have_13_lines(board in boards(), context in contexts()) {
        let drawing = Position::new(board, context).unwrap().diagram().to_string();
        prop_assert_eq!(drawing.lines().count(), 13);
        prop_assert!(drawing.is_ascii());
        prop_assert!(drawing.lines().all(|line| line.len() >= 44 && line.trim_end() == line));
    }
}

/// Characters that the formats are made of, and some that no format uses.
fn alphabets() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[A-Za-z0-9+/]{14}",
        "[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}",
        "(XGID=)?[-A-Pa-p]{26}(:-?[0-9DBR]{1,2}){9}",
        "board:[a-z]{1,3}:[a-z]{1,3}(:-?[0-9]{1,2}){50}",
        "(-?[0-9]{1,3}[ ,]){25}-?[0-9]{1,3}",
        "[ a-z%]{0,9}(GNUID|Position ID|match id|xgid)[ =:]{1,2}[A-Za-z0-9+/]{11,15}[: ][A-Za-z0-9+/]{11,15}",
        "(OGID=)?[0-9a-q]{0,15}:[0-9a-q]{0,15}:[NWBD][0-9]{1,2}[NOTP](:[0-9WBCRDLG]{0,2}){0,9}",
        "(xgid|OGID)[=: ][-A-Pa-p]{26}(:-?[0-9DBR]{1,2}){8,10} [ a-z0-9:]{0,9}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Reading never panics, and what is read is written so that it can be read again.
    #[test]
    fn no_text_panics(text in alphabets()) {
        if let Ok(position) = text.parse::<Position>() {
            prop_assert_eq!(Board::from_position_id(&position.position_id()), Ok(*position.board()));
            prop_assert!(Context::from_match_id(&position.match_id()).is_ok());
        }
    }

    /// One character of a valid text replaced by any other.
    #[test]
    fn no_damaged_text_panics(
        board in boards(),
        context in contexts(),
        format in 0..5usize,
        at in any::<prop::sample::Index>(),
        character in any::<char>(),
    ) {
        let position = Position::new(board, context).unwrap();
        let text = match format {
            0 => format!("{}:{}", position.position_id(), position.match_id()),
            1 => position.xgid(),
            2 => position.fibs(),
            3 => position.ogid(),
            _ => position.points().map(|n| n.to_string()).join(" "),
        };
        let mut characters: Vec<char> = text.chars().collect();
        let at = at.index(characters.len());
        characters[at] = character;
        let damaged: String = characters.into_iter().collect();
        if let Ok(read) = damaged.parse::<Position>() {
            prop_assert_eq!(Board::from_position_id(&read.position_id()), Ok(*read.board()));
            prop_assert!(Context::from_match_id(&read.match_id()).is_ok());
            // A Match ID holds games that are over, which an XGID does not.
            if read.context().state == GameState::Playing {
                prop_assert!(read.xgid().parse::<Position>().is_ok());
                prop_assert!(read.fibs().parse::<Position>().is_ok());
                prop_assert!(read.ogid().parse::<Position>().is_ok());
            }
        }
    }

    /// Every Position ID that is read is the one that is written: no two texts stand for one position.
    #[test]
    fn position_ids_are_unique(text in "[A-Za-z0-9+/]{13}[AQgw]") {
        if let Ok(board) = Board::from_position_id(&text) {
            prop_assert_eq!(board.position_id().to_string(), text);
        }
    }
}
