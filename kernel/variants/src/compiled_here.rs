//! The code of both games, compiled in this package.

/// The last functions of a game. They are not generic, so that their code is compiled in this package, as its profile
/// says, and not once more in each that uses it.
macro_rules! compiled_here {
    () => {
        fn count(&self, position: &Position, roll: usize) -> usize {
            $crate::moves::count(self, position, roll)
        }

        fn result(&self, position: &Position, roll: usize, index: usize) -> Position {
            $crate::moves::result(self, position, roll, index)
        }

        fn results(&self, position: &Position, roll: usize) -> Vec<Position> {
            $crate::moves::results(self, position, roll)
        }

        fn play_out(
            &self,
            tier: tavli_simd::Tier,
            key: &tavli_game::streams::StreamKey,
            leaves: &mut dyn tavli_game::Leaves<Position>,
            stop: &dyn Fn() -> bool,
        ) {
            $crate::batch::play_out(self, tier, key, leaves, stop);
        }
    };
}
pub(crate) use compiled_here;
