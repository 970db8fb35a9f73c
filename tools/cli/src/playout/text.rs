//! A run and its results, as text.

use std::io::{self, Write};

use tavli::policies::Players;
use tavli::run::{Played, Report};
use tavli::{Estimate, Outcome, Playouts};

use crate::numbers::{counted, decimals, grouped, rate, seconds};

/// Prints what will be played.
pub(crate) fn describe(playouts: &Playouts, players: &Players, output: &mut dyn Write) -> io::Result<()> {
    let (rules, start) = (playouts.rules(), playouts.start());
    let position = if *start == rules.start() {
        "the opening position".to_owned()
    } else {
        start.position_id().to_string()
    };
    let (first_roll, seed) = (playouts.first_roll(), playouts.seed());
    write!(output, "{rules} from {position}, first roll {first_roll}, seed {seed}")?;
    if let Some(plies) = playouts.truncation() {
        let plies = counted(plies.get(), "ply", "plies");
        write!(output, ",\ncut off after {plies}")?;
    }
    if !players.are_uniform() {
        write!(output, ",\nplayed by {players}")?;
    }
    writeln!(output, "\n")
}

/// Prints the results, for cores with `clock` cycles per second.
pub(crate) fn print(report: &Report, clock: f64, occupancy: bool, output: &mut dyn Write) -> io::Result<()> {
    let tally = &report.results.tally;
    let mut rows = Vec::new();
    for &outcome in Outcome::ALL {
        let count = tally.count(outcome);
        // Gammons that the rules do not know, or that did not happen, need no row.
        if count > 0 || matches!(outcome, Outcome::WinSingle | Outcome::LoseSingle) {
            rows.push((outcome.name(), count, tally.share(outcome)));
        }
    }
    if tally.unfinished() > 0 {
        rows.push(("unfinished", tally.unfinished(), tally.unfinished_share()));
    }
    if tally.wins() > tally.count(Outcome::WinSingle) {
        rows.push(("all wins", tally.wins(), tally.win()));
    }
    print_run(report, clock, &rows, output, |output| {
        print_means(tally.equity(), tally.mean_plies(), tally.longest, output)?;
        writeln!(output, "  plays a ply {:.3}", tally.mean_plays())?;
        if occupancy {
            writeln!(output)?;
            print_occupancy(report, output)?;
        }
        Ok(())
    })
}

/// Prints the results of a run of any game: `rows` of the table of outcomes with their games and shares, the means that
/// `print_means` prints, and the speed.
pub(super) fn print_run<R: Played>(
    report: &Report<R>,
    clock: f64,
    rows: &[(&str, u64, Estimate)],
    output: &mut dyn Write,
    print_means: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if report.cancelled {
        writeln!(output, "  interrupted; the games before it\n")?;
    }
    if report.results.games() == 0 {
        return writeln!(output, "  no games were played");
    }
    writeln!(output, "  {:<16}{:>20}    share ± standard error", "outcome", "games")?;
    for &(name, count, share) in rows {
        let (name, count) = (name.replace('_', " "), grouped(count));
        let (mean, error) = (100.0 * share.mean, decimals(100.0 * share.standard_error, 4));
        writeln!(output, "  {name:<16}{count:>20}{mean:>9.4} ± {error} %")?;
    }
    writeln!(output)?;
    print_means(output)?;
    writeln!(output)?;
    print_speed(report, clock, output)
}

/// Prints the means of a run's games.
pub(super) fn print_means(equity: Estimate, plies: Estimate, longest: u32, output: &mut dyn Write) -> io::Result<()> {
    let (mean, error) = (equity.mean, decimals(equity.standard_error, 5));
    writeln!(output, "  equity {mean:+.5} ± {error} points")?;
    let (mean, error) = (plies.mean, decimals(plies.standard_error, 3));
    let longest = grouped(longest);
    writeln!(output, "  plies a game {mean:.3} ± {error}, the longest {longest}")
}

/// Prints how fast the games of a run were played; there is at least one.
fn print_speed<R: Played>(report: &Report<R>, clock: f64, output: &mut dyn Write) -> io::Result<()> {
    let games = counted(report.results.games(), "game", "games");
    let (first, last) = (report.games.start, report.games.end - 1);
    let elapsed = seconds(report.elapsed.as_secs_f64());
    write!(output, "  {games} (numbers {first} to {last}) in {elapsed}")?;
    if let Some(cpu) = report.cpu_time {
        write!(output, ", {} of CPU", seconds(cpu.as_secs_f64()))?;
    }
    writeln!(output)?;
    writeln!(output, "  {:>16} games/s", rate(report.games_per_second()))?;
    writeln!(output, "  {:>16} plies/s", rate(report.plies_per_second()))?;
    writeln!(output, "  {:>16} ns per ply, all cores", rate(report.ns_per_ply()))?;
    writeln!(
        output,
        "  {:>16} ns per ply, per core (one thread)",
        rate(report.ns_per_ply_and_worker())
    )?;
    writeln!(
        output,
        "  {:>16} cycles per ply, estimated at {:.2} GHz",
        rate(report.cycles_per_ply(clock)),
        clock / 1e9
    )
}

/// Expected checkers on each point at truncation, in four rows of six points.
fn print_occupancy(report: &Report, output: &mut dyn Write) -> io::Result<()> {
    let tally = &report.results.tally;
    let over = 100.0 * tally.finished() as f64 / tally.games as f64;
    writeln!(output, "  over before the cut: {over:.4} %")?;
    let occupancy = &report.results.occupancy;
    for (player, sums) in [
        ("next player", &occupancy.next_player),
        ("other player", &occupancy.other_player),
    ] {
        writeln!(output, "  checkers of the {player}, a game, by his own points:")?;
        let mean = |index: usize| sums[index] as f64 / tally.games as f64;
        for first in (0..24).step_by(6) {
            write!(output, "  {:>6}", format!("{}-{}", first + 1, first + 6))?;
            for index in first..first + 6 {
                write!(output, "{:>11.5}", mean(index))?;
            }
            writeln!(output)?;
        }
        writeln!(output, "  {:>6}{:>11.5}", "bar", mean(24))?;
    }
    Ok(())
}
