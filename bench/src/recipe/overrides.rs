//! Recipes changed by options: times, repetitions, threads, tiers.

use core::num::NonZeroUsize;
use core::ops::RangeInclusive;

use tavli::Tier;

use crate::recipe::definition::{Case, Recipe, RecipeError, Threads};
use crate::statistics::Ratio;

/// Seconds of a repetition. Timers and threads would take a large part of a shorter one, and nobody waits longer than a
/// day.
const SECONDS: RangeInclusive<f64> = 0.001..=86_400.0;
/// Seconds of warming up, which may be left out.
const WARM_UP: RangeInclusive<f64> = 0.0..=86_400.0;
/// Seconds of a whole measurement: up to a month.
const LIMIT: RangeInclusive<f64> = 0.001..=2_678_400.0;

impl Recipe {
    /// With another number of repetitions.
    ///
    /// # Errors
    /// [`RecipeError`] if the number is 0, or above [`Ratio::MAX_SAMPLES`], the most that can be compared.
    pub fn with_repetitions(self, repetitions: usize) -> Result<Recipe, RecipeError> {
        if !(1..=Ratio::MAX_SAMPLES).contains(&repetitions) {
            return Err(RecipeError::Value {
                place: "repetitions".to_owned(),
                message: format!("it must be 1 to {}, not {repetitions}", Ratio::MAX_SAMPLES),
            });
        }
        Ok(Recipe { repetitions, ..self })
    }

    /// With repetitions of about this time.
    ///
    /// # Errors
    /// [`RecipeError`] if the time is below 0.001 s or above a day.
    pub fn with_seconds(self, seconds: f64) -> Result<Recipe, RecipeError> {
        check("seconds", seconds, &SECONDS, "a repetition takes 0.001 s to a day")?;
        Ok(Recipe { seconds, ..self })
    }

    /// With this time of warming up, which may be 0.
    ///
    /// # Errors
    /// [`RecipeError`] if the time is below 0 or above a day.
    pub fn with_warm_up(self, seconds: f64) -> Result<Recipe, RecipeError> {
        check("warm_up_seconds", seconds, &WARM_UP, "warming up takes 0 s to a day")?;
        Ok(Recipe { warm_up_seconds: seconds, ..self })
    }

    /// Ends the recipe after this time.
    ///
    /// # Errors
    /// [`RecipeError`] if the time is below 0.001 s or above 31 days.
    pub fn with_time_limit(self, seconds: f64) -> Result<Recipe, RecipeError> {
        check("time_limit_seconds", seconds, &LIMIT, "a limit is 0.001 s to 31 days")?;
        Ok(Recipe { time_limit_seconds: Some(seconds), ..self })
    }

    /// With this number of workers in every case. A case that is named after another number, as `games/1`, is renamed.
    ///
    /// # Errors
    /// [`RecipeError`] if two cases would have the same name.
    pub fn with_threads(mut self, threads: NonZeroUsize) -> Result<Recipe, RecipeError> {
        for case in &mut self.cases {
            let renamed = Threads::in_name(&case.name)
                .filter(|&(_, number)| case.threads == Threads::Number(number))
                .map(|(family, _)| format!("{family}/{threads}"));
            if let Some(name) = renamed {
                case.name = name;
            }
            case.threads = Threads::Number(threads);
        }
        let same = |at: usize| self.cases[..at].iter().any(|case| case.name == self.cases[at].name);
        match (0..self.cases.len()).find(|&at| same(at)) {
            None => Ok(self),
            Some(at) => Err(RecipeError::Value {
                place: "threads".to_owned(),
                message: format!(
                    "with {threads} in every case two would be '{}': leave the number of threads to the recipe",
                    self.cases[at].name
                ),
            }),
        }
    }

    /// On several tiers: repeats each case that depends on the tier, with the tier in its name.
    #[must_use]
    pub fn on_tiers(mut self, tiers: &[Tier]) -> Recipe {
        let on = |case: Case| -> Vec<Case> {
            if !case.workload.has_tiers() {
                return vec![case];
            }
            let on = |&tier: &Tier| Case {
                name: match Threads::in_name(&case.name) {
                    Some((family, number)) => format!("{family} {tier}/{number}"),
                    None => format!("{} {tier}", case.name),
                },
                tier: Some(tier),
                ..case.clone()
            };
            tiers.iter().map(on).collect()
        };
        self.cases = self.cases.into_iter().flat_map(on).collect();
        self
    }

    /// The approximate time of the recipe in seconds, with this number of cases on a machine.
    #[must_use]
    pub(crate) fn duration(&self, cases: usize) -> f64 {
        cases as f64 * (self.warm_up_seconds + self.repetitions as f64 * self.seconds)
    }

    /// The seconds after which the measurement of this number of cases ends with the repetitions done so far, counted
    /// from the start of warming up. Without a limit, a machine that slows down after warming up would take any time.
    #[must_use]
    pub fn time_limit(&self, cases: usize) -> f64 {
        let usual = 3.0 * self.duration(cases) + 60.0;
        self.time_limit_seconds.unwrap_or(usual)
    }
}

fn check(place: &str, seconds: f64, range: &RangeInclusive<f64>, wanted: &str) -> Result<(), RecipeError> {
    match range.contains(&seconds) {
        true => Ok(()),
        false => {
            Err(RecipeError::Value { place: place.to_owned(), message: format!("invalid value {seconds}: {wanted}") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(recipe: &Recipe) -> Vec<&str> {
        recipe.cases.iter().map(|case| case.name.as_str()).collect()
    }

    #[test]
    fn a_name_says_how_many_workers_there_are() {
        let quick = || Recipe::built_in("quick").unwrap();
        assert_eq!(names(&quick()), ["backgammon", "mcgammon", "backgammon/1"]);
        let two = quick().with_threads(NonZeroUsize::new(2).unwrap()).unwrap();
        assert_eq!(names(&two), ["backgammon", "mcgammon", "backgammon/2"]);
        let mut twice = quick();
        twice.cases[0].name = "backgammon/2".to_owned();
        twice.cases[0].threads = Threads::Number(NonZeroUsize::new(2).unwrap());
        let error = twice.with_threads(NonZeroUsize::new(3).unwrap()).unwrap_err();
        assert!(error.to_string().contains("two would be 'backgammon/3'"), "{error}");
    }

    #[test]
    fn tiers_have_cases_of_their_own() {
        let quick = Recipe::built_in("quick").unwrap();
        let tiers = [Tier::Portable, Tier::Avx2];
        let both = quick.on_tiers(&tiers);
        assert_eq!(
            names(&both)[2..],
            ["mcgammon portable", "mcgammon avx2", "backgammon portable/1", "backgammon avx2/1"]
        );
        assert_eq!(both.cases[5].tier, Some(Tier::Avx2));
        let movegen = Recipe::built_in("movegen").unwrap().on_tiers(&tiers);
        assert_eq!(names(&movegen)[0], "count/any");
        assert_eq!(movegen.cases.len(), 27 + 2 * 2);
    }

    #[test]
    fn times_are_in_range() {
        let recipe = || Recipe::built_in("quick").unwrap();
        assert_eq!(recipe().with_warm_up(0.0).unwrap().warm_up_seconds, 0.0);
        for (error, said) in [
            (recipe().with_seconds(1e-9), "seconds: invalid value 0.000000001"),
            (recipe().with_warm_up(f64::NAN), "warm_up_seconds: invalid value NaN"),
            (recipe().with_time_limit(0.0), "time_limit_seconds: invalid value 0"),
        ] {
            let error = error.unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
        let limited = recipe().with_time_limit(7.0).unwrap();
        assert_eq!(limited.time_limit(3), 7.0);
        assert!(recipe().time_limit(3) > 3.0 * recipe().duration(3));
    }
}
