//! The stages of the portable tier.

use core::num::NonZeroU32;

use tavli_backgammon::plays::Plays;
use tavli_backgammon::profile::{PlainPlies, PlainStage};
use tavli_backgammon::stepping::SteppedGame;
use tavli_backgammon::{Board, Planes, Playouts, RuleSet};

fn sum_of_words(board: Board) -> u64 {
    let planes = Planes::from(board);
    let words = [planes.own(), planes.opponent()].concat();
    words.into_iter().map(u64::from).sum()
}

/// Together they are the ply of a playout: its throw, the plays of this roll, and the position after its play.
#[test]
fn stages_are_those_of_playouts() {
    for &rules in RuleSet::ALL {
        let mut boards = vec![rules.start(); 50];
        for seed in 0..60 {
            let plies = PlainPlies::new(&boards, rules, seed).expect("games");
            assert_eq!(plies.count(), boards.len());
            let [mut dice, mut plays, mut words] = [0; 3];
            let mut next = Vec::new();
            for (number, board) in (0..).zip(&boards) {
                let playouts = Playouts::new(*board, rules, seed).expect("games");
                let roll = SteppedGame::new(&playouts, number).roll().expect("a throw").roll;
                dice += u64::from(roll.high());
                plays += Plays::new(board, roll, rules).len() as u64;
                let record = playouts.truncated_after(NonZeroU32::MIN).play(number);
                words += sum_of_words(record.board);
                next.push(match record.outcome {
                    None => record.board,
                    Some(_) => rules.start(),
                });
            }
            assert_eq!(plies.play(PlainStage::Throw), dice);
            assert_eq!(plies.play(PlainStage::Count), plays);
            assert_eq!(plies.play(PlainStage::Make), words);
            boards = next;
        }
    }
}
