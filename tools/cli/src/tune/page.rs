//! The page of a tuning.

use tavli::games::PlayableGame;
use tavli_bench::report::{Curve, CurveChart, curves};
use tavli_terminal::numbers::{counted, decimals, seconds};
use tavli_tune::{Recipe, Round, RoundPurpose, Tuning};

/// The generations of all methods, and the matches at the end, as a page.
pub(super) fn page<G: PlayableGame>(tuning: &Tuning<G>) -> String {
    let recipe = tuning.recipe();
    let axis = "games of the method";
    let chart = |caption: String, value: &dyn Fn(&Round) -> Option<[f64; 2]>| CurveChart {
        caption,
        axis: axis.to_owned(),
        curves: recipe
            .methods
            .iter()
            .map(|&method| {
                let rounds = tuning.rounds().iter();
                let rounds = rounds.filter(|round| round.stage == RoundPurpose::Method(method));
                let point = |round: &Round| {
                    let [value, error] = value(round)?;
                    Some([(round.number * recipe.games_of_generation(method)) as f64, value, error])
                };
                Curve { name: method.to_string(), points: rounds.filter_map(point).collect() }
            })
            .collect(),
    };
    let mut charts: Vec<CurveChart> = recipe
        .parameters
        .keys()
        .enumerate()
        .map(|(place, name)| {
            chart(format!("{name}: the best so far"), &|round| Some([round.best.as_ref()?[place], 0.0]))
        })
        .collect();
    let opponent = recipe.opponent.as_deref().unwrap_or("the start values");
    charts.push(chart(
        format!("Points per game of a generation against {opponent}, with the standard error"),
        &|round| round.mean().map(|points| [points.mean, points.standard_error]),
    ));
    let mut facts = vec![
        ("recipe".to_owned(), recipe.description.clone()),
        ("game".to_owned(), format!("{}, {} rules", recipe.game, tuning.rules())),
        ("player".to_owned(), recipe.agent.clone()),
        ("seed".to_owned(), recipe.seed.to_string()),
        ("start".to_owned(), in_words(recipe, &recipe.start())),
    ];
    for (name, values) in tuning.bests() {
        facts.push((name.to_string(), in_words(recipe, values)));
    }
    let verification = tuning.rounds().iter().filter(|round| round.stage == RoundPurpose::Verification);
    for duel in verification.flat_map(|round| &round.duels) {
        let ([a, b], points, [low, high]) = (&duel.agents, duel.score.per_game(), tuning.interval(duel));
        facts.push((
            format!("{} against {}", a.name, b.name),
            format!("{:+.4} [{}], 95 % {low:+.4} to {high:+.4}", points.mean, decimals(points.standard_error, 4)),
        ));
    }
    let time = seconds(tuning.elapsed().as_secs_f64());
    facts.push(("games".to_owned(), format!("{} in {time}", counted(tuning.played().games, "game", "games"))));
    curves("tavli tune", &facts, &charts)
}

/// The values of parameters in words.
pub(super) fn in_words(recipe: &Recipe, values: &[f64]) -> String {
    let words = recipe.parameters.keys().zip(values);
    let words = words.map(|(name, value)| format!("{name} {value}"));
    words.collect::<Vec<_>>().join(", ")
}
