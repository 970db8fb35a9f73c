//! Arguments that several commands share, and how their values are read.

use std::num::{NonZeroU64, NonZeroUsize};
use std::time::Duration;

use clap::Args;
use tavli::run::{Cpus, Pinning, Placement, Workers};
use tavli::{Board, PlayoutError, Position, RuleSet, Tier};

use crate::failure::Failure;
use crate::header::Header;

/// The seed of a run that names none, so that runs are repeatable unless asked otherwise.
pub(crate) const DEFAULT_SEED: u64 = 1;

/// Where and how playouts run.
#[derive(Args, Clone, Debug)]
pub(crate) struct Machine {
    /// Worker threads [default: one per core, or per CPU of a list, within the grant of control groups]
    #[arg(long, value_name = "T", allow_negative_numbers = true, value_parser = threads)]
    threads: Option<NonZeroUsize>,
    /// CPUs that workers are bound to: cores, compact, spread, none, or a list such as 0,2-5
    ///
    /// cores: one worker per core, socket by socket, then the other CPUs (SMT siblings) of the cores.
    /// compact: all CPUs of a core before the next core. spread: the sockets in turn. none: wherever
    /// the operating system puts them.
    #[arg(long, value_name = "P", default_value_t, allow_negative_numbers = true)]
    pin: Pinning,
    #[command(flatten)]
    isa: Isa,
}

/// The build of the kernel.
#[derive(Args, Clone, Debug)]
pub(crate) struct Isa {
    /// Instruction-set tier [default: the fastest that this CPU has]
    #[arg(long, value_name = "TIER", env = "TAVLI_ISA")]
    isa: Option<Tier>,
}

/// How the result is written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Format {
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A position on the command line.
#[derive(Args, Clone, Debug)]
pub(crate) struct OnePosition {
    /// GNU Position ID, Position ID:Match ID, XGID, FIBS board line or 26 numbers
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    pub(crate) position: Position,
}

/// The rules of the game.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Rule {
    /// Rules: backgammon, or mcgammon (the paper's first version: bringing all checkers home wins)
    #[arg(long, value_name = "RULES", default_value_t)]
    pub(crate) rules: RuleSet,
}

impl Isa {
    pub(crate) fn tier(&self) -> Tier {
        self.isa.unwrap_or_else(Tier::best)
    }
}

impl Machine {
    pub(crate) fn tier(&self) -> Tier {
        self.isa.tier()
    }

    /// Starts the workers and describes them.
    pub(crate) fn start(&self) -> Result<(Workers, Header), Failure> {
        let cpus = Cpus::allowed();
        let placement =
            Placement::new(&cpus, self.pin.clone(), self.threads).map_err(Failure::usage)?;
        let workers = Workers::start(&placement).map_err(Failure::run)?;
        let header = Header::new(self.tier(), &self.pin, &cpus, &workers);
        Ok((workers, header))
    }
}

/// The opening position, if none is given.
pub(crate) fn or_opening(position: Option<Position>) -> Board {
    position.map_or(Board::START, |position| *position.board())
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let most = Placement::MOST;
    text.parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= most)
        .ok_or_else(|| format!("threads are a whole number 1 to {most}"))
}

/// Refuses a position in which the game is over.
pub(crate) fn check_in_play(board: &Board, rules: RuleSet) -> Result<(), PlayoutError> {
    if rules.is_over(board) {
        return Err(PlayoutError::GameOver(rules));
    }
    Ok(())
}

/// Reads a whole number of at least 1.
pub(crate) fn positive<T: TryFrom<NonZeroU64>>(text: &str) -> Result<T, String> {
    text.parse::<NonZeroU64>()
        .ok()
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| {
            "a whole number of at least 1 is needed, and not beyond the range of its type"
                .to_owned()
        })
}

/// Reads a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "seconds are a number above 0, such as 2.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    #[test]
    fn counts_are_positive_whole_numbers() {
        assert_eq!(
            positive::<NonZeroU64>("18446744073709551615").unwrap(),
            NonZeroU64::MAX
        );
        assert_eq!(
            positive::<NonZeroU32>("4294967295").unwrap(),
            NonZeroU32::MAX
        );
        assert!(positive::<NonZeroU32>("4294967296").is_err());
        for text in ["", "0", "-1", "1.5", "1e6", "18446744073709551616", "nan"] {
            assert!(positive::<NonZeroU64>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_are_positive() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["", "0", "-0.0", "-1", "nan", "inf", "1e300", "1e-20", "3s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
