//! Alpha-beta search of a position of English draughts:
//! `cargo run --release --package tavli --example draughts`.

use std::error::Error;
use std::sync::Arc;

use tavli::draughts::{Draughts, Position, Rules, plays};
use tavli::games::evaluator_index;
use tavli::search::{AlphaBeta, GameHeuristic};
use tavli::{NO_STOP, Tier};

/// How many choices the search looks ahead.
const DEPTH: u32 = 9;

fn main() -> Result<(), Box<dyn Error>> {
    // Black has two kings against one, which stands at the edge.
    let position: Position = "B:WK29:BK14,K23".parse()?;
    let game = Arc::new(Draughts::new(Rules::ENGLISH, Tier::best(), 1));
    let material = GameHeuristic::new(Arc::clone(&game), evaluator_index::<Draughts>(Some("material"))?);
    let search = AlphaBeta::new(Arc::clone(&game), Arc::new(material), DEPTH)?;
    let found = search.run(position, NO_STOP).expect("nothing stops it");
    let best = &found.report.choices[0];
    let moves = plays(&position, Rules::ENGLISH)[best.choice].moves.to_string();
    println!("{moves}: {:+.3} after {} choices", best.value, found.depth);
    // A value of 1 is a game that is won within the depth.
    assert_eq!((best.value, found.depth), (1.0, DEPTH));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), Box<dyn Error>> {
    main()
}
