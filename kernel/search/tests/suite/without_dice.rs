//! Trees of games without dice, whose descents take shortcuts past nodes and chances.

use std::num::NonZeroU32;
use std::sync::Arc;

use tavli_draughts::Draughts;
use tavli_game::PlayableGame;
use tavli_search::{Budget, ChanceSampling, Search, SearchReport, SearchSettings};
use tavli_simd::Tier;
use tavli_tictactoe::TicTacToe;

fn search<G: PlayableGame>(start: Option<&str>, settings: SearchSettings, simulations: u64) -> SearchReport {
    let game = G::by_rules(G::RULES[0], Tier::best(), settings.seed).expect("its rules");
    let root = start.map_or(game.start(), |text| game.read(text).expect("a position"));
    Search::new(Arc::new(game), root, 0, settings, Budget::simulations(simulations)).expect("a search").run_here()
}

/// A hash of all that a search reports about its trees.
fn number(report: &SearchReport) -> u64 {
    let mut words: Vec<i64> = vec![report.nodes as i64, i64::from(report.depth), report.plies as i64];
    for root_choice in &report.root.choices {
        words.extend([root_choice.visits as i64, root_choice.sum, root_choice.squares as i64]);
    }
    for line_and_replies in &report.lines_and_replies {
        for replies in &line_and_replies.replies {
            words.extend([replies.chance as i64, replies.visits as i64]);
            words.extend(replies.choices.iter().flat_map(|reply| [reply.visits as i64, reply.sum]));
        }
        let line = line_and_replies.line.iter();
        words.extend(line.flat_map(|step| [step.chance as i64, step.choice as i64]));
    }
    // FNV-1a.
    words
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The numbers were recorded on 2026-11-27, before shortcuts: descents then read each node and its chances.
#[test]
fn shortcuts_change_no_result() {
    let settings = SearchSettings { trees: 3, ..SearchSettings::default() };
    let stratified = SearchSettings { chance_sampling: ChanceSampling::Stratified, ..settings };
    let seldom = SearchSettings { expand: NonZeroU32::new(5).expect("not 0"), ..settings };
    let endgame = Some("W:W18,K25:B1,K7:H12");
    let of_draughts = |start, settings| number(&search::<Draughts>(start, settings, 30_000));
    let found = [
        of_draughts(None, settings),
        of_draughts(None, stratified),
        of_draughts(None, seldom),
        of_draughts(endgame, settings),
        number(&search::<TicTacToe>(None, settings, 30_000)),
    ];
    assert_eq!(found, RECORDED, "{found:#x?}");
}

const RECORDED: [u64; 5] =
    [0xbcf4_8554_9791_22d0, 0x8aac_c173_861e_05fe, 0xfb9d_72eb_2719_1749, 0xe015_a9e2_af95_8207, 0xc094_d4ab_4764_7721];

#[test]
fn replies_have_the_visits_after_their_choice() {
    let report = search::<Draughts>(None, SearchSettings::default(), 50_000);
    for (root_choice, line_and_replies) in report.root.choices.iter().zip(&report.lines_and_replies) {
        for replies in &line_and_replies.replies {
            let visits: u64 = replies.choices.iter().map(|reply| reply.visits).sum();
            // In each tree one simulation ends in the position itself, and another before its plays join the tree.
            assert_eq!(replies.visits + 16, root_choice.visits);
            assert_eq!(visits + 16, replies.visits);
        }
    }
}
