//! Playouts of many positions through C: each tally equals the tally of the position alone.

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};

use crate::support::{Handle, NOTHING, cancel, last_error, ok, opening, points, workers};
use tavli::{Board, Tier};
use tavli_capi::*;

fn positions() -> Vec<[c_int; 26]> {
    let ids = ["4HPwATDgc/ABMA", "7e4OAABtdw8AAA", "t80AASi1UgwEPA", "AICqqgCoqqqqAA", "FQAAIAoAAAAAAA"];
    let boards = ids.map(|id| Board::from_position_id(id).expect("a position"));
    boards.iter().cycle().take(90).map(points).collect()
}

/// The tally of a position alone, without plays.
fn alone(points: &[c_int; 26], settings: &Settings, first_game: u64, games: u64, workers: &Handle<Workers>) -> Tally {
    let tally = crate::support::tally(points, settings, (first_game, games), workers, None).expect("games");
    Tally { plays: 0, ..tally }
}

#[test]
fn each_tally_is_that_of_the_position_alone() {
    let positions = positions();
    for &tier in Tier::available() {
        let workers = workers(2, Some(tier.name()));
        for (first_roll, plies, first_game, games) in [(0, 0, 0, 36), (2, 0, 1 << 40, 50), (31, 9, u64::MAX - 20, 20)] {
            let settings = Settings { seed: 0xfeed, first_roll, truncate: plies, ..tavli_settings_default() };
            let (mut tallies, mut count) = (vec![NOTHING; positions.len()], 0);
            // SAFETY: every pointer belongs to a handle or a variable, and there is room for the tallies.
            ok(unsafe {
                tavli_playouts_many(
                    positions.as_ptr(),
                    positions.len(),
                    &raw const settings,
                    first_game,
                    games,
                    workers.get(),
                    null(),
                    None,
                    null_mut(),
                    tallies.as_mut_ptr(),
                    &raw mut count,
                )
            });
            assert_eq!(count, positions.len());
            for (points, tally) in positions.iter().zip(&tallies) {
                assert_eq!(*tally, alone(points, &settings, first_game, games, &workers));
            }
        }
    }
}

/// Plays games with the default settings; returns the tallies that were stored.
fn play(
    positions: &[[c_int; 26]],
    games: u64,
    switch: *const Cancel,
    progress: ProgressCallback,
) -> Result<Vec<Tally>, Status> {
    let workers = workers(2, None);
    let (mut tallies, mut count) = (vec![NOTHING; positions.len()], usize::MAX);
    // SAFETY: every pointer belongs to a handle or a variable, and there is room for the tallies.
    let status = unsafe {
        tavli_playouts_many(
            positions.as_ptr(),
            positions.len(),
            null(),
            0,
            games,
            workers.get(),
            switch,
            progress,
            switch.cast_mut().cast(),
            tallies.as_mut_ptr(),
            &raw mut count,
        )
    };
    if status != Status::Ok {
        assert_eq!(count, usize::MAX, "nothing is stored");
        return Err(status);
    }
    assert!(tallies[count..].iter().all(|tally| *tally == NOTHING));
    tallies.truncate(count);
    Ok(tallies)
}

#[test]
fn finished_games_have_their_outcome_and_bad_positions_their_index() {
    let mut over = [0; 26];
    over[6] = -15; // the player has borne off all, and a checker of the opponent stands in his home
    let tallies = play(&[over, opening(), over], 100, null(), None).expect("tallies");
    for at in [0, 2] {
        let won = Tally { games: 100, outcomes: [0, 0, 100, 0, 0, 0, 0, 0], ..NOTHING };
        assert_eq!(tallies[at], won);
    }
    assert_eq!(tallies[1].outcomes.iter().sum::<u64>(), 100);
    assert_eq!(play(&[], 100, null(), None), Ok(vec![]));

    let mut bad = opening();
    bad[3] = 1;
    assert_eq!(play(&[opening(), bad], 1, null(), None), Err(Status::Position));
    assert!(last_error().starts_with("position 1: "), "{}", last_error());
    bad[3] = 300;
    assert_eq!(play(&[bad], 1, null(), None), Err(Status::Position));
    assert!(last_error().contains("300"), "{}", last_error());
    assert_eq!(play(&[opening(); 3], u64::MAX, null(), None), Err(Status::Settings));
}

#[test]
fn a_cancelled_call_stores_what_is_whole() {
    unsafe extern "C" fn throw_soon(progress: *const Progress, data: *mut c_void) {
        // SAFETY: the library passes its progress, and the data is the switch.
        unsafe {
            if (*progress).trials > 600_000 {
                ok(tavli_cancel_throw(data.cast()));
            }
        }
    }
    let switch = cancel();
    let positions = vec![opening(); 1_000_000];
    let tallies = play(&positions, 100_000, switch.get(), Some(throw_soon)).expect("tallies");
    assert!((1..positions.len()).contains(&tallies.len()), "{}", tallies.len());
    assert!(tallies.iter().all(|tally| *tally == tallies[0] && tally.games == 100_000));
    assert_eq!(play(&[[300; 26]], 1, switch.get(), None), Ok(vec![]), "no position is read");
}
