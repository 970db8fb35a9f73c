use tavli_backgammon::*;

#[test]
fn the_21_rolls_weigh_36() {
    assert_eq!(Roll::ALL.iter().map(|r| r.weight()).sum::<u32>(), 36);
    assert!(Roll::ALL.is_sorted());
    for roll in Roll::ALL {
        assert_eq!(roll.to_string().parse::<Roll>(), Ok(roll));
    }
}

#[test]
fn bad_rolls_are_refused() {
    assert_eq!(Roll::new(0, 3), Err(RollError::Die(0)));
    assert_eq!(Roll::new(3, 7), Err(RollError::Die(7)));
    for text in ["", "3", "07", "333", "3-1", "٣١"] {
        assert!(text.parse::<Roll>().is_err(), "{text}");
    }
}
