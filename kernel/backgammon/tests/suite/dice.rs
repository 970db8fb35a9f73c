//! The dice of games against the specification, and the distribution of stratified throws.

use crate::support::specification::Stream;
use tavli_backgammon::playout::{Dice, StratifiedThrows, Throw};
use tavli_backgammon::{FirstRoll, Roll};

#[test]
fn throws_are_as_specified() {
    for seed in [0, 1, 42, u64::from(u32::MAX) + 7, u64::MAX] {
        let dice = Dice::new(seed, FirstRoll::Any);
        for game in [0, 1, 2, 1 << 32, (1 << 32) + 1, u64::MAX] {
            let throws: Vec<Throw> = dice.of_game(game).take(8).collect();
            let mut specified = Stream::new(seed, game);
            let mut specified = || {
                let product = 36 * u64::from(specified.next_word());
                Throw { roll: Roll::THROWS[(product >> 32) as usize], fraction: product as u32 }
            };
            let specified: Vec<Throw> = (0..8).map(|_| specified()).collect();
            assert_eq!(throws, specified, "seed {seed} game {game}");
        }
    }
}

#[test]
fn any_36_games_begin_with_each_throw_and_any_1296_with_each_pair() {
    for seed in [0, 1, u64::MAX] {
        let throws = StratifiedThrows::new(seed);
        for begin in [0, 1, 35, 700, (1 << 32) - 20, u64::MAX - 1296] {
            let mut firsts = [0; 36];
            let mut pairs = [[0; 36]; 36];
            for game in begin..begin + 36 {
                firsts[throws.of_game(game)[0]] += 1;
            }
            for game in begin..begin + 1296 {
                let [first, second] = throws.of_game(game);
                pairs[first][second] += 1;
            }
            assert_eq!(firsts, [1; 36], "seed {seed}, from {begin}");
            assert_eq!(pairs, [[1; 36]; 36], "seed {seed}, from {begin}");
        }
        let mut seconds = [0; 36];
        (0..36).for_each(|game| seconds[throws.of_game(game)[1]] += 1);
        assert_eq!(seconds, [1; 36], "of 36 games from a multiple of 36 on");
    }
}

/// All 1,296 pairs of throws are equally likely in a game: chi-square over the seeds.
#[test]
fn the_pair_of_a_game_is_uniform_over_the_seeds() {
    const SEEDS: u64 = 129_600;
    for game in [0, 7, 35, 36, 1295] {
        let mut pairs = vec![0_u64; 1296];
        for seed in 0..SEEDS {
            let [first, second] = StratifiedThrows::new(seed).of_game(game);
            pairs[36 * first + second] += 1;
        }
        let expected = SEEDS as f64 / 1296.0;
        let square = |&count: &u64| (count as f64 - expected).powi(2) / expected;
        let chi_square: f64 = pairs.iter().map(square).sum();
        // 1,295 degrees of freedom: mean 1,295, standard deviation 50.9.
        assert!((1050.0..1550.0).contains(&chi_square), "game {game}: {chi_square}");
    }
}
