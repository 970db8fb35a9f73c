//! A run and its results, as text.

use std::io::{self, Write};

use tavli::Estimate;
use tavli::policies::Uniform;
use tavli::run::{GameCounts, PlayoutReport};
use tavli_terminal::numbers::{counted, decimals, grouped, rate, seconds};

use super::description::{Manner, PlayoutDescription};
use super::summary::{MeanOccupancy, Summary};

/// Prints what will be played.
pub(crate) fn describe(settings: &PlayoutDescription, output: &mut dyn Write) -> io::Result<()> {
    let PlayoutDescription { manner, title, .. } = settings;
    let Manner { policy, opponent_policy, .. } = manner;
    write!(output, "{title}")?;
    if let Some(first_roll) = &manner.first_roll {
        write!(output, ", first roll {first_roll}")?;
    }
    write!(output, ", seed {}", manner.seed)?;
    if let Some(plies) = manner.truncated_after {
        let plies = counted(plies, "ply", "plies");
        write!(output, ",\ncut off after {plies}")?;
    }
    if policy != opponent_policy {
        write!(output, ",\nplayed by {policy} against {opponent_policy}")?;
    } else if policy != Uniform::NAME {
        write!(output, ",\nplayed by {policy}")?;
    }
    writeln!(output, "\n")
}

/// Prints the results, for cores with `clock` cycles per second.
pub(crate) fn print(report: &PlayoutReport<Summary>, clock: f64, output: &mut dyn Write) -> io::Result<()> {
    let summary = &report.results;
    if report.cancelled {
        writeln!(output, "  interrupted; the games before it\n")?;
    }
    if summary.games == 0 {
        return writeln!(output, "  no games were played");
    }
    writeln!(output, "  {:<16}{:>20}    share ± standard error", "outcome", "games")?;
    let mut row = |name: &str, games: u64, share: Estimate| {
        let (name, games) = (name.replace('_', " "), grouped(games));
        let (mean, error) = (100.0 * share.mean, decimals(100.0 * share.standard_error, 4));
        writeln!(output, "  {name:<16}{games:>20}{mean:>9.4} ± {error} %")
    };
    // Gammons that the rules do not know, or that did not happen, need no row.
    for outcome in summary.outcomes.iter().filter(|outcome| outcome.games > 0 || !outcome.is_gammon()) {
        row(outcome.name, outcome.games, outcome.share)?;
    }
    if summary.unfinished > 0 {
        row("unfinished", summary.unfinished, summary.unfinished_share)?;
    }
    let mut gammons = summary.outcomes.iter().filter(|outcome| outcome.is_win() && outcome.is_gammon());
    if gammons.any(|outcome| outcome.games > 0) {
        row("all wins", summary.wins, summary.win)?;
    }
    writeln!(output)?;
    let (mean, error) = (summary.equity.mean, decimals(summary.equity.standard_error, 5));
    writeln!(output, "  equity {mean:+.5} ± {error} points")?;
    let (mean, error) = (summary.mean_plies.mean, decimals(summary.mean_plies.standard_error, 3));
    let longest = grouped(summary.longest);
    writeln!(output, "  plies a game {mean:.3} ± {error}, the longest {longest}")?;
    if let Some(plays) = summary.mean_plays {
        writeln!(output, "  plays a ply {plays:.3}")?;
    }
    if let Some(occupancy) = &summary.occupancy {
        writeln!(output)?;
        print_occupancy(occupancy, output)?;
    }
    writeln!(output)?;
    print_speed(report, clock, output)
}

/// Prints how fast the games of a run were played; there is at least one.
fn print_speed<R: GameCounts>(report: &PlayoutReport<R>, clock: f64, output: &mut dyn Write) -> io::Result<()> {
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
    writeln!(output, "  {:>16} ns per ply, per core (one thread)", rate(report.ns_per_ply_and_worker()))?;
    writeln!(output, "  {:>16} cycles per ply, estimated at {:.2} GHz", rate(report.cycles_per_ply(clock)), clock / 1e9)
}

/// Expected checkers on each point at truncation, in four rows of six points.
fn print_occupancy(occupancy: &MeanOccupancy, output: &mut dyn Write) -> io::Result<()> {
    writeln!(output, "  over before the cut: {:.4} %", 100.0 * occupancy.over)?;
    for (player, means) in [("next player", &occupancy.next_player), ("other player", &occupancy.other_player)] {
        writeln!(output, "  checkers of the {player}, a game, by his own points:")?;
        for first in (0..24).step_by(6) {
            write!(output, "  {:>6}", format!("{}-{}", first + 1, first + 6))?;
            for mean in &means[first..first + 6] {
                write!(output, "{mean:>11.5}")?;
            }
            writeln!(output)?;
        }
        writeln!(output, "  {:>6}{:>11.5}", "bar", means[24])?;
    }
    Ok(())
}
