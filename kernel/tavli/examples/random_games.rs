//! Random games from a position, on every core: `cargo run --release --package tavli --example random_games`.

use std::error::Error;

use tavli::policies::PolicyPair;
use tavli::run::{BackgammonPlayouts, Cpus, Limit, Pinning, Placement, Run, Workers};
use tavli::{Playouts, Position, RuleSet, Tier};

fn main() -> Result<(), Box<dyn Error>> {
    let position: Position = "4HPwATDgc/ABMA".parse()?;
    let playouts = Playouts::new(*position.board(), RuleSet::Backgammon, 42)?;
    let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    let playouts = BackgammonPlayouts::new(playouts, PolicyPair::default(), Tier::best());
    let report = Run::new(playouts, Limit::Items(10_000)).play(&workers, |_| ());
    let tally = report.results.tally;
    let equity = tally.equity();
    println!("{} of {} games won", tally.wins(), tally.games);
    println!("equity {:+.4} ± {:.4}", equity.mean, equity.standard_error);
    // The same games on any machine.
    assert_eq!(format!("{:+.4}", equity.mean), "+0.0453");
    Ok(())
}

#[test]
fn it_runs() -> Result<(), Box<dyn Error>> {
    main()
}
