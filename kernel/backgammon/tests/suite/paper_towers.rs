//! The worked example of the McGammon paper (Van Lishout, Chaslot, Uiterwijk 2007, section 4.1): four towers
//! that 3-3 can use at most 2, 4, 4 and 3 times, by the paper's own recursion and by the plays.

use tavli_backgammon::plays::Plays;
use tavli_backgammon::{Board, Roll, RuleSet};

/// A tower's letter and how often it can be used.
type Tower = (char, usize);

/// The paper's recursion: all ways to use the towers `dice` times, each as its letters.
fn uses(table: &[Tower], dice: usize) -> Vec<String> {
    let [(letter, most), rest @ ..] = table else {
        return Vec::new();
    };
    if dice == 1 {
        let usable = table.iter().filter(|(_, most)| *most > 0);
        return usable.map(|(letter, _)| letter.to_string()).collect();
    }
    let mut used = Vec::new();
    if *most > 0 {
        let once_less: Vec<Tower> = [(*letter, most - 1)].into_iter().chain(rest.iter().copied()).collect();
        used.extend(uses(&once_less, dice - 1).iter().map(|others| format!("{letter}{others}")));
    }
    used.extend(uses(rest, dice));
    used
}

const TOWERS: [Tower; 4] = [('A', 2), ('C', 4), ('D', 4), ('E', 3)];

#[test]
fn the_recursion_lists_30_uses() {
    let listed = uses(&TOWERS, 4);
    assert_eq!(listed.len(), 30);
    // The ends of the list that the paper prints.
    assert_eq!(listed[..7], ["AACC", "AACD", "AACE", "AADD", "AADE", "AAEE", "ACCC"]);
    assert_eq!(listed[29], "DEEE");
}

/// Each checker of the towers A, C, D and E has one step of 3. B stands before a blocked point, and F
/// could only be borne off.
#[test]
fn the_plays_are_the_30_uses() {
    let points = [('A', 24, 2), ('B', 13, 1), ('C', 20, 4), ('D', 15, 4), ('E', 7, 3), ('F', 3, 1)];
    let (mut own, mut opponent) = ([0; 26], [0; 26]);
    for (_, point, checkers) in points {
        own[point] = checkers;
    }
    for blocked in [18, 14, 10, 9, 1] {
        opponent[25 - blocked] = 2;
    }
    let board = Board::new(&own, &opponent).unwrap();
    let plays = Plays::new(&board, Roll::new(3, 3).unwrap(), RuleSet::Backgammon);
    assert_eq!(plays.len(), 30);

    let mut listed: Vec<String> = Vec::new();
    for play in plays.to_vec() {
        let mut letters: Vec<char> = plays
            .moves(&play)
            .steps()
            .iter()
            .map(|step| {
                let tower = points.iter().find(|tower| tower.1 == usize::from(step.from));
                tower.expect("no checker has a second step").0
            })
            .collect();
        letters.sort_unstable();
        listed.push(letters.into_iter().collect());
    }
    listed.sort_unstable();
    let mut expected = uses(&TOWERS, 4);
    expected.sort_unstable();
    assert_eq!(listed, expected);
}
