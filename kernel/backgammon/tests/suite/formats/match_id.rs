use super::bits::text;
use tavli_backgammon::*;

fn error(bits: u128) -> MatchIdError {
    Context::from_match_id(&text::<12>(bits)).unwrap_err()
}

/// The default money game: cube in the middle, the bottom player to roll.
const MONEY: u128 = 3 << 4 | 1 << 6 | 1 << 8 | 1 << 11;

#[test]
fn the_default_is_read() {
    let jacoby = true;
    let beavers = false;
    assert_eq!(
        Context::from_match_id(&text::<12>(MONEY)),
        Ok(Context { stakes: Stakes::Money { jacoby, beavers }, ..Context::default() })
    );
    assert_eq!(Context::from_match_id("cAkAAAAAAAAE"), Ok(Context::default()));
}

#[test]
fn a_turned_cube_in_the_crawford_game_is_set_back_with_its_largest_value() {
    // 8-0 to 9, the cube at 16384.
    let context = Context::from_match_id("jqk2AYAAAAAE").unwrap();
    assert_eq!(context.cube, Cube::default());
    let position = Position::new(Board::START, context).unwrap();
    assert_eq!(Context::from_match_id(&position.match_id()), Ok(context));
}

#[test]
fn wrong_bits_have_errors_of_their_kind() {
    for bit in 67..72 {
        assert_eq!(error(MONEY | 1 << bit), MatchIdError::TrailingBits);
    }
    assert_eq!(error(MONEY ^ 1 << 4), MatchIdError::CubeOwner);
    for state in 5..8 {
        let bits = MONEY ^ (1 ^ state) << 8;
        assert_eq!(error(bits), MatchIdError::State(state as u8));
    }
    assert_eq!(error(MONEY | 3 << 15), MatchIdError::Dice(RollError::Die(0)));
    assert_eq!(error(MONEY | 7 << 15 | 1 << 18), MatchIdError::Dice(RollError::Die(7)));
    assert_eq!(
        error(MONEY | 1 << 12 | 3 << 15 | 1 << 18).to_string(),
        "not a Match ID: the dice show 31 while a double is offered"
    );
    assert_eq!(error(MONEY | 1 << 7), MatchIdError::CrawfordMoney);
    assert_eq!(
        error(MONEY ^ 1 << 11),
        MatchIdError::Context(ContextError::Decision { found: Side::Opponent, expected: Side::OnRoll })
    );
    assert_eq!(
        error(MONEY | 3 << 21 | 3 << 51),
        MatchIdError::Context(ContextError::MatchOver { player: Side::OnRoll, score: 3, length: 3 })
    );
    // A false mark of the Crawford game counts as none.
    let unmarked = MONEY | 3 << 21 | 1 << 36;
    assert_eq!(Context::from_match_id(&text::<12>(unmarked | 1 << 7)), Context::from_match_id(&text::<12>(unmarked)));
}

#[test]
fn text_that_is_not_base64_is_refused() {
    for text in ["", "cAkAAAAAAAA", "cAkAAAAAAAAE=", "cAk AAAAAAAE", "cAk_AAAAAAAE"] {
        assert!(matches!(Context::from_match_id(text), Err(MatchIdError::Text(_))), "{text}");
    }
}
