//! Solved endgames against the reference data, and against the rules: a value follows from those of the plays.

use std::sync::LazyLock;

use crate::support::effort::by_effort;
use crate::support::{golden, positions};
use tavli_base::NO_STOP;
use tavli_draughts::{
    BytesError, Counts, Draughts, EndgameValue, Endgames, Material, Position, Rules, Side, SolveError, plays,
};
use tavli_game::PlayableGame;
use tavli_simd::Tier;

/// The endgames of up to four pieces, in thorough tests of up to five, solved once for all tests.
static SOLVED: LazyLock<Endgames> = LazyLock::new(|| {
    Endgames::solve(by_effort(4, 5) as u32, 2.try_into().expect("threads"), NO_STOP, &mut |_| ())
        .expect("nothing stops it")
});

#[test]
fn golden_positions_and_their_plays_have_their_values() {
    let rows = golden::rows(&golden::best("endgame_values.tsv"));
    assert!(rows.len() >= 150);
    for row in rows {
        let position: Position = row[0].parse().expect("a position");
        let value = |position: &Position| SOLVED.value(position).expect("few pieces").to_string();
        assert_eq!(value(&position), row[1], "{position}");
        let mut found: Vec<String> = plays(&position, Rules::ENGLISH)
            .iter()
            .map(|play| format!("{}={}", play.moves, value(&play.position)))
            .collect();
        found.sort();
        let plays = row.get(2).map(String::as_str).unwrap_or_default();
        let mut expected: Vec<&str> = plays.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{position}");
    }
}

#[test]
fn golden_counts() {
    for row in golden::rows(&golden::best("endgame_counts.tsv")) {
        let numbers: Vec<i64> = row.iter().map(|text| text.parse().expect("a number")).collect();
        let material = |at: usize| Material { men: numbers[at] as u8, kings: numbers[at + 1] as u8 };
        let counts = SOLVED.counts(material(1), material(3)).expect("few pieces");
        let longest = |plies: i64| u32::try_from(plies).ok();
        let expected = Counts {
            wins: numbers[6] as u64,
            draws: numbers[7] as u64,
            losses: numbers[8] as u64,
            longest_win: longest(numbers[9]),
            longest_loss: longest(numbers[10]),
        };
        assert_eq!(counts, expected, "{row:?}");
        assert_eq!(counts.wins + counts.draws + counts.losses, numbers[5] as u64);
    }
}

/// All positions of one and two kings a side, and some of the others: the value of a position follows from its plays.
#[test]
fn values_follow_from_those_of_the_plays() {
    let few = positions::varied(3).filter(|position| {
        let all = position.pieces(Side::Black) | position.pieces(Side::White);
        (2..=SOLVED.pieces()).contains(&all.count_ones())
    });
    let (mut wins, mut draws, mut losses) = (0, 0, 0);
    for position in few.take(by_effort(5_000, 100_000) as usize) {
        let after = plays(&position, Rules::ENGLISH);
        let values = after.iter().map(|play| SOLVED.value(&play.position).expect("few pieces"));
        let mut best = EndgameValue::Loss(0);
        for value in values {
            // A loss of the other side is a win of this one, a ply later.
            let value = match value {
                EndgameValue::Loss(plies) => EndgameValue::Win(plies + 1),
                EndgameValue::Draw => EndgameValue::Draw,
                EndgameValue::Win(plies) => EndgameValue::Loss(plies + 1),
            };
            let rank = |value: EndgameValue| match value {
                EndgameValue::Win(plies) => 1_000 - plies as i32,
                EndgameValue::Draw => 0,
                EndgameValue::Loss(plies) => plies as i32 - 1_000,
            };
            best = if rank(value) > rank(best) { value } else { best };
        }
        assert_eq!(SOLVED.value(&position), Some(best), "{position}");
        assert_eq!(SOLVED.value(&position.turned()), Some(best), "{position}, turned");
        match best {
            EndgameValue::Win(_) => wins += 1,
            EndgameValue::Draw => draws += 1,
            EndgameValue::Loss(_) => losses += 1,
        }
    }
    assert!(wins.min(draws).min(losses) > 50, "{wins} wins, {draws} draws, {losses} losses");
}

#[test]
fn what_is_not_solved_has_no_value() {
    let two = |pieces, stops| Endgames::solve(pieces, 1.try_into().expect("a thread"), &|| stops, &mut |_| ());
    assert_eq!(two(1, false).unwrap_err(), SolveError::Pieces(1));
    assert_eq!(
        two(6, false).unwrap_err().to_string(),
        "endgames are solved of 2, 3, 4 or 5 pieces, not of 6; of 6 there are 2.5 billion positions"
    );
    assert_eq!(two(2, true).unwrap_err(), SolveError::Stopped);
    let solved = two(2, false).expect("nothing stops it");
    assert_eq!(solved.pieces(), 2);
    let value = |text: &str| solved.value(&text.parse().expect("a position"));
    assert_eq!(value("B:WK1:BK32"), SOLVED.value(&"B:WK1:BK32".parse().expect("a position")));
    assert_eq!(value("B:WK1,K2:BK32"), None);
    let [man, king] = [(1, 0), (0, 1)].map(|(men, kings)| Material { men, kings });
    assert!(solved.counts(man, king).is_some());
    let none = Material { men: 0, kings: 0 };
    assert_eq!(solved.counts(man, none), None);
    assert_eq!(solved.counts(none, none), None);
    assert_eq!(solved.counts(man, Material { men: 200, kings: 200 }), None);
    // A side without pieces.
    assert_eq!(value("B:W:BK1"), Some(EndgameValue::Win(1)));
    assert_eq!(value("W:W:BK1"), Some(EndgameValue::Loss(0)));
}

/// The number of threads changes nothing.
#[test]
fn threads_agree() {
    let alone = Endgames::solve(3, 1.try_into().expect("a thread"), NO_STOP, &mut |_| ()).expect("nothing stops it");
    let material = |men, kings| Material { men, kings };
    for (own, other) in
        [(material(1, 1), material(1, 0)), (material(0, 2), material(0, 1)), (material(1, 0), material(2, 0))]
    {
        assert!(alone.counts(own, other).is_some());
        assert_eq!(alone.counts(own, other), SOLVED.counts(own, other));
    }
}

#[test]
fn bytes_give_the_tables_back() {
    let three = Endgames::solve(3, 2.try_into().expect("threads"), NO_STOP, &mut |_| ()).expect("nothing stops it");
    let bytes = three.to_bytes();
    let read = Endgames::from_bytes(&bytes).expect("its own bytes");
    assert_eq!(read.pieces(), 3);
    for position in positions::varied(3).take(3_000) {
        assert_eq!(read.value(&position), three.value(&position), "{position}");
    }
    let mut more = bytes.clone();
    more.push(0);
    for wrong in [&[][..], &bytes[..3], &bytes[..4], &bytes[..bytes.len() - 1], &more] {
        assert_eq!(Endgames::from_bytes(wrong).err(), Some(BytesError), "{} bytes", wrong.len());
    }
    for pieces in [0, 1, 2, 4, 5, u32::MAX] {
        let mut other = bytes.clone();
        other[..4].copy_from_slice(&pieces.to_le_bytes());
        assert_eq!(Endgames::from_bytes(&other).err(), Some(BytesError), "{pieces} pieces");
    }
}

#[test]
fn tables_are_for_rules_with_compulsory_captures() {
    let game = |rules| Draughts::by_rules(rules, Tier::Portable, 1).expect("rules");
    let two = Endgames::solve(2, 1.try_into().expect("a thread"), NO_STOP, &mut |_| ());
    let bytes = two.expect("nothing stops it").to_bytes();
    for rules in ["report", "optional"] {
        let refused = game(rules).solved_positions(&bytes).unwrap_err().to_string();
        assert!(refused.contains("compulsory captures"), "{refused}");
    }
    let refused = game("english").solved_positions(b"").unwrap_err().to_string();
    assert_eq!(refused, BytesError.to_string());
    let tables = game("english").solved_positions(&bytes).expect("its own bytes");
    let known = |text: &str| tables.known(&text.parse().expect("a position"));
    // Lost in six plies: with 75 quiet ones behind it the rule of 80 may come first, which the tables cannot say.
    let lost = known("B:WK7:B5").expect("two pieces");
    assert_eq!((lost.points, lost.plies), (-1, 6));
    assert_eq!(known("B:WK7:B5:H74"), Some(lost));
    assert_eq!(known("B:WK7:B5:H75"), None);
    assert_eq!(known("B:WK7:B5,6"), None);
}
