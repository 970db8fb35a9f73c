//! Each play as likely as any other.

use crate::playout::Throw;
use crate::plays::View;
use crate::policies::policy::Policy;
use crate::stepping::RollBatch;
use tavli_base::Stopped;

/// Each distinct play is as likely as any other: the random fraction draws its index.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Uniform;

impl Uniform {
    /// `uniform`.
    pub const NAME: &str = "uniform";
}

impl Policy for Uniform {
    fn name(&self) -> &str {
        Uniform::NAME
    }

    fn view(&self) -> View {
        View::NUMBERS
    }

    fn pick(&self, decisions: &RollBatch, picks: &mut [u32], _: &dyn Fn() -> bool) -> Result<(), Stopped> {
        let throws = decisions.rolls().iter().zip(decisions.fractions());
        for (decision, (pick, (&roll, &fraction))) in picks.iter_mut().zip(throws).enumerate() {
            *pick = Throw { roll, fraction }.draw(decisions.plays_of(decision)) as u32;
        }
        Ok(())
    }
}
