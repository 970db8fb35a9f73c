use tavli_backgammon::*;

#[test]
fn discriminants_are_places_in_the_list() {
    for (at, &outcome) in Outcome::ALL.iter().enumerate() {
        assert_eq!(outcome as usize, at);
        assert_eq!(Outcome::from_name(outcome.name()), Some(outcome));
        assert_eq!(outcome.reversed().points(), -outcome.points());
        assert_eq!(outcome.reversed().reversed(), outcome);
    }
}
