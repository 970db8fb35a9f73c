//! Which play of a roll to make, with a look at the progress:
//! `cargo run --release --package tavli --example decision`.

use std::error::Error;

use tavli::rollout::{Options, Session, Verdict};
use tavli::run::{Cpus, Pinning, Placement, Workers};

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options { roll: Some("31".parse()?), ..Options::default() };
    let mut rollout = options.decision()?.rollout(&"4HPwATDgc/ABMA".parse()?)?;
    let workers = Workers::start(&Placement::new(&Cpus::allowed(), Pinning::CORES, None)?)?;
    Session::default().play(&mut rollout, &workers, |progress| {
        eprintln!("{} trials, {:.0} %", progress.trials, 100.0 * progress.fraction());
    })?;
    let decision = rollout.decision().expect("it was asked for");
    let play = &rollout.candidates()[decision.candidate];
    let moves = play.moves.as_ref().expect("it is a play").to_string();
    let summary = rollout.summary();
    let equity = &summary.best().equity;
    println!(
        "{moves}: {}, {:.1} % sure, equity {:+.3} ± {:.3} after {} trials",
        decision.verdict.name(),
        100.0 * decision.sure,
        equity.mean,
        equity.standard_error,
        summary.trials
    );
    assert_eq!((moves.as_str(), decision.verdict), ("8/5 6/5", Verdict::Best));
    Ok(())
}

#[test]
fn it_runs() -> Result<(), Box<dyn Error>> {
    main()
}
