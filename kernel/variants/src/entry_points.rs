//! The code of both games, compiled in this package.

/// Entry points of a game that are not generic, so that the hot code is compiled once: here, by the profile of this
/// package.
macro_rules! entry_points {
    () => {
        fn count(&self, position: &Position, roll: usize) -> usize {
            $crate::roll_plays::count(self, position, roll)
        }

        fn result(&self, position: &Position, roll: usize, index: usize) -> Position {
            $crate::roll_plays::result(self, position, roll, index)
        }

        fn results(&self, position: &Position, roll: usize) -> Vec<Position> {
            $crate::roll_plays::results(self, position, roll)
        }

        fn play_out(
            &self,
            tier: tavli_simd::Tier,
            key: &tavli_game::streams::StreamKey,
            source: &mut dyn tavli_game::GameSource<Position>,
            stop: &dyn Fn() -> bool,
        ) {
            $crate::batch::play_out(self, tier, key, source, stop);
        }
    };
}
pub(crate) use entry_points;
