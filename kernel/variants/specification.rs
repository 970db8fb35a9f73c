//! The specification: what a playout of Plakoto or Fevga is, in one file that runs.
//!
//! The words that a game draws, the plays of a roll, their order, and the play that a word picks are all promised,
//! since a change of any of them changes the value of every playout. This file defines them with arrays and loops
//! alone. The file needs nothing but the standard library. It uses nothing of the library, so a fault of the one is not
//! a fault of the other. Whoever writes a compatible program, in any language, needs only this file.
//!
//! It is slow: it plays every way to move to count the plays. The library counts them without listing them.
//!
//! The file has the licence of the project. Anybody may write a program to this specification.
//!
//! Read it from the top: [`Rules`], [`Position`], [`step`], [`plays`], [`points_won`], [`Stream`], [`Playouts::play`].

/// The points of the board are 1 to 24.
pub const POINTS: usize = 24;
/// The highest point of the home board, which has the points 1 to 6.
pub const HOME: usize = 6;
/// The checkers of a side. Those that stand nowhere are borne off.
pub const CHECKERS: u8 = 15;

/// The rules of a game. In both, a player wins 1 point when he has borne off all his checkers, and 2 points if the
/// other side has borne off none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// A checker that lands on a single one of the other side pins it: it cannot move until its point is left.
    ///
    /// A *mother* is pinned when the last checker on its side's start, the point 24, is pinned. If both are, the game
    /// is a tie. Else the side that pins one wins 2 points as soon as its own start is empty.
    Plakoto {
        /// Whoever pins the mother wins 2 points at once, even if checkers of his stand on his own start.
        mother_wins_at_once: bool,
        /// Checkers may be borne off while one is pinned in the home board.
        pinned_may_stay: bool,
    },
    /// One checker holds a point. Until the first checker of a side, its *runner*, has passed the start of the other
    /// side, no other checker of that side moves.
    Fevga {
        /// Whether a side may hold all six points of its own start quadrant, 19 to 24.
        start_quadrant: StartQuadrant,
        /// Whether a side may hold all six points before the start of the other side, 6 to 11.
        before_start: BeforeStart,
        /// Whether a side may leave the other one without a move.
        blocking: Blocking,
        /// The highest point on which the runner has passed the start of the other side: 11, or 12, which is that
        /// start.
        passed: usize,
    },
}

/// Whether a side may hold all six points of its own start quadrant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StartQuadrant {
    /// Not at the end of its play.
    NotAtEnd,
    /// No checker may land on the last of the six points.
    Never,
    /// It may.
    Allowed,
}

/// Whether a side may hold all six points before the start of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BeforeStart {
    /// Not at the end of its play.
    Forbidden,
    /// Not at the end of its play while the other side has checkers on its start.
    ForbiddenWhileOccupied,
    /// It may.
    Allowed,
}

/// Whether a side may leave the other one without a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocking {
    /// After a play that does not end the game, the other side has a die, 1 to 6, that it can play.
    Forbidden,
    /// If all checkers of the other side stand on one point, and all six points before them are held when the turn
    /// begins, only plays count that open one of the six, where there are any. This comes after all other rules.
    Duty,
    /// It may.
    Allowed,
}

impl Rules {
    /// The rules of Plakoto, without options.
    pub const PLAKOTO: Rules = Rules::Plakoto { mother_wins_at_once: false, pinned_may_stay: false };
    /// The rules of Fevga, without options.
    pub const FEVGA: Rules = Rules::Fevga {
        start_quadrant: StartQuadrant::NotAtEnd,
        before_start: BeforeStart::Forbidden,
        blocking: Blocking::Forbidden,
        passed: 11,
    };

    /// The number that a point has for the other side.
    #[must_use]
    pub fn across(self, point: usize) -> usize {
        match self {
            // The sides move in opposite directions.
            Rules::Plakoto { .. } => 25 - point,
            // They move in the same direction, half a board apart.
            Rules::Fevga { .. } => (point + 11) % 24 + 1,
        }
    }
}

/// The checkers of one side. A side counts in its own frame: its checkers move from point 24 down to point 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SideCheckers {
    /// `[p]` is the number of checkers on point `p` that are not pinned. `[0]` is always 0.
    pub free: [u8; 25],
    /// Whether a checker is pinned on point `p`. It is then the only one of its side there.
    pub pinned: [bool; 25],
}

/// Where the checkers of both sides stand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// The checkers of the player on roll.
    pub mover: SideCheckers,
    /// The checkers of the other player.
    pub other: SideCheckers,
}

impl SideCheckers {
    /// All checkers on the start, the point 24.
    fn start() -> SideCheckers {
        let mut free = [0; 25];
        free[POINTS] = CHECKERS;
        SideCheckers { free, pinned: [false; 25] }
    }

    /// The number of checkers on the board.
    fn checkers(&self) -> u8 {
        self.free.iter().sum::<u8>() + self.pinned.iter().map(|&pinned| u8::from(pinned)).sum::<u8>()
    }

    /// Whether the points from `first` to `last` all have checkers that are not pinned.
    fn holds(&self, first: usize, last: usize) -> bool {
        (first..=last).all(|point| self.free[point] > 0)
    }

    /// The rearmost point with a checker that is not pinned; 0 if there is none.
    fn rearmost(&self) -> usize {
        (1..=POINTS).rev().find(|&point| self.free[point] > 0).unwrap_or(0)
    }

    /// Whether a checker stands behind a point, pinned or not.
    fn stands_behind(&self, point: usize) -> bool {
        (point + 1..=POINTS).any(|behind| self.free[behind] > 0 || self.pinned[behind])
    }

    /// Whether checkers may be borne off: all others are in the home board, and none is pinned.
    fn may_bear_off(&self, rules: Rules) -> bool {
        let pinned_may_stay = matches!(rules, Rules::Plakoto { pinned_may_stay, .. } if pinned_may_stay);
        let allows = |point: usize| pinned_may_stay && point <= HOME;
        self.rearmost() <= HOME && (1..=POINTS).all(|point| !self.pinned[point] || allows(point))
    }

    /// The point of the runner, if no checker has passed the start of the other side: the lowest occupied point. Before
    /// the runner has left the start, any checker there is the runner.
    fn runner(&self, rules: Rules) -> Option<usize> {
        let Rules::Fevga { passed, .. } = rules else {
            return None;
        };
        let lowest = (1..=POINTS).find(|&point| self.free[point] > 0)?;
        (lowest > passed && self.checkers() == CHECKERS).then_some(lowest)
    }
}

impl Position {
    /// The position in which a game begins.
    #[must_use]
    pub fn start() -> Position {
        Position { mover: SideCheckers::start(), other: SideCheckers::start() }
    }

    /// The same position with the other player on roll.
    fn turned(&self) -> Position {
        Position { mover: self.other.clone(), other: self.mover.clone() }
    }

    /// Whether the mover may put a checker on a point.
    fn is_open(&self, point: usize, rules: Rules) -> bool {
        let enemies = self.other.free[rules.across(point)];
        match rules {
            Rules::Plakoto { .. } => enemies < 2 && !self.mover.pinned[point],
            Rules::Fevga { .. } => enemies == 0,
        }
    }

    /// Whether the mover can play some die.
    fn can_move(&self, rules: Rules) -> bool {
        (1..=6).any(|die| !sequences(self, &[die], rules).is_empty())
    }
}

/// The position after one checker of the mover's has gone from a point by a die; `None` if the rules forbid it.
///
/// * Until the runner has passed, no other checker moves.
/// * A checker goes from `x` to `x - die`, if that point is open.
/// * If checkers may be borne off, one on the point of the die is. One on a lower point is borne off, too, if no
///   checker stands behind it.
/// * A single checker of the other side on the point is pinned in Plakoto. One that was pinned where the last checker
///   has gone from is no longer pinned.
#[must_use]
pub fn step(position: &Position, from: usize, die: usize, rules: Rules) -> Option<Position> {
    let mover = &position.mover;
    if mover.free[from] == 0 || mover.runner(rules).is_some_and(|runner| runner != from) {
        return None;
    }
    let mut next = position.clone();
    next.mover.free[from] -= 1;
    let below = rules.across(from);
    if next.mover.free[from] == 0 && next.other.pinned[below] {
        next.other.pinned[below] = false;
        next.other.free[below] = 1;
    }
    if from <= die {
        let borne_off = from == die || !mover.stands_behind(from);
        return (mover.may_bear_off(rules) && borne_off).then_some(next);
    }
    let to = from - die;
    if !position.is_open(to, rules) {
        return None;
    }
    next.mover.free[to] += 1;
    let below = rules.across(to);
    if next.other.free[below] == 1 {
        next.other.free[below] = 0;
        next.other.pinned[below] = true;
    }
    let fills_quadrant = to >= 19 && mover.free[to] == 0 && next.mover.holds(19, 24);
    let forbidden = matches!(rules, Rules::Fevga { start_quadrant: StartQuadrant::Never, .. });
    (!(fills_quadrant && forbidden)).then_some(next)
}

/// The plays of a roll, in their order. Each is the position that it leads to, with the other player on roll.
///
/// Two options ask more of every step. By them the plays of both dice, or of a double, stand in the order of
/// [`sequences`]. The one option is that no checker may land on the last point of a quadrant. The other is that
/// checkers may be borne off while others are pinned at home; it counts if some are pinned at home, none elsewhere, and
/// at most four free ones stand outside.
///
/// A play is a distinct position: ways to move that end alike are one play. Plays that end in a forbidden position do
/// not count. Of the others, those count that play the most dice, up to two, or four of a double. If of two different
/// dice only one can be played, it is the larger if possible. If no play is left, the one play is a pass. The game must
/// not be over.
#[must_use]
pub fn plays(position: &Position, dice: [usize; 2], rules: Rules) -> Vec<Position> {
    let allowed =
        |list: Vec<Position>| -> Vec<Position> { list.into_iter().filter(|after| may_end_in(after, rules)).collect() };
    let lists = lists(position, dice, rules).into_iter().map(allowed);
    let list = first_of(lists, position);
    let list = after_duty(position, list, rules);
    list.iter().map(Position::turned).collect()
}

/// The plays that there would be if no position were forbidden, in their order.
#[must_use]
pub fn candidates(position: &Position, dice: [usize; 2], rules: Rules) -> Vec<Position> {
    let list = first_of(lists(position, dice, rules).into_iter(), position);
    list.iter().map(Position::turned).collect()
}

/// The first list that is not empty; the pass if there is none.
fn first_of(mut lists: impl Iterator<Item = Vec<Position>>, position: &Position) -> Vec<Position> {
    lists.find(|list| !list.is_empty()).unwrap_or_else(|| vec![position.clone()])
}

/// The lists of plays. The first that has an allowed play counts.
fn lists(position: &Position, dice: [usize; 2], rules: Rules) -> Vec<Vec<Position>> {
    let [high, low] = [dice[0].max(dice[1]), dice[0].min(dice[1])];
    let step_by_step = match rules {
        Rules::Plakoto { pinned_may_stay, .. } => {
            let mover = &position.mover;
            let outside: u8 = mover.free[HOME + 1..].iter().sum();
            let some_at_home = mover.pinned[..=HOME].contains(&true);
            pinned_may_stay && some_at_home && !mover.pinned[HOME + 1..].contains(&true) && outside <= 4
        }
        Rules::Fevga { start_quadrant, .. } => start_quadrant == StartQuadrant::Never,
    };
    match (high == low, step_by_step) {
        (true, false) => lists_of_a_double(position, high, rules),
        (false, false) => lists_of_two_dice(position, high, low, rules),
        (true, true) => (1..=4).rev().map(|steps| sequences(position, &vec![high; steps], rules)).collect(),
        (false, true) => {
            let mut both = sequences(position, &[high, low], rules);
            both.extend(sequences(position, &[low, high], rules));
            both.sort();
            both.dedup();
            vec![both, alone(position, high, rules), alone(position, low, rules)]
        }
    }
}

/// Whether a play may end in a position; `after.mover` has just moved.
fn may_end_in(after: &Position, rules: Rules) -> bool {
    let Rules::Fevga { start_quadrant, before_start, blocking, .. } = rules else {
        return true;
    };
    if after.mover.checkers() == 0 {
        return true;
    }
    let fills_quadrant = start_quadrant == StartQuadrant::NotAtEnd && after.mover.holds(19, 24);
    let fills_before_start = after.mover.holds(6, 11)
        && match before_start {
            BeforeStart::Forbidden => true,
            BeforeStart::ForbiddenWhileOccupied => after.other.free[POINTS] > 0,
            BeforeStart::Allowed => false,
        };
    let blocks = blocking == Blocking::Forbidden && !after.turned().can_move(rules);
    !fills_quadrant && !fills_before_start && !blocks
}

/// The plays of a list that open a point, if it is the mover's duty to do so and there are any; else all of the list.
fn after_duty(position: &Position, list: Vec<Position>, rules: Rules) -> Vec<Position> {
    let has_duty = matches!(rules, Rules::Fevga { blocking: Blocking::Duty, .. });
    let stack = position.other.rearmost();
    let is_one_stack = position.other.checkers() == position.other.free[stack];
    // The six points before the stack, in the mover's frame.
    let before = |position: &Position| (1..=6).all(|back| position.mover.free[rules.across(stack - back)] > 0);
    if !has_duty || stack < 7 || !is_one_stack || !before(position) {
        return list;
    }
    let opening: Vec<Position> = list.iter().filter(|after| !before(after)).cloned().collect();
    if opening.is_empty() { list } else { opening }
}

/// All positions after playing these dice in this order, in ascending order: by the mover's checkers on point 1, then
/// by those on point 2, and so on.
fn sequences(position: &Position, dice: &[usize], rules: Rules) -> Vec<Position> {
    let mut positions = vec![position.clone()];
    for &die in dice {
        positions = positions.iter().flat_map(|at| alone(at, die, rules)).collect();
        positions.sort();
        positions.dedup();
    }
    positions
}

/// The lists of plays of two different dice, the larger of which is `high`: the plays of both dice, those of the high
/// die alone, and those of the low die alone. The latter two have ascending points.
///
/// The plays of both dice come in parts, which follow one another. A position already in the list is not listed again.
/// Points are taken in ascending order.
///
/// 1. The table; see [`table`]. Or, while the runner has not passed: the runner by the high die, and another checker by
///    the low die.
/// 2. Runs of one checker by both dice, either of which may go first. A run ends on a point, or, if checkers may be
///    borne off before the roll, exactly off.
/// 3. While the runner has not passed: the runner by the low die, and another checker by the high die.
/// 4. What is left, by the low die first and then by the high die first: the first die brings the last checker home, or
///    takes it out of the way of a larger die, and the second bears a checker off.
fn lists_of_two_dice(position: &Position, high: usize, low: usize, rules: Rules) -> Vec<Vec<Position>> {
    let mut both = Vec::new();
    match position.mover.runner(rules) {
        Some(runner) => {
            for after in ways_from(position, runner, high, low, rules) {
                add(&mut both, after);
            }
        }
        None => both = table(position, high, low, rules),
    }
    for from in 1..=POINTS {
        for [first, second] in [[high, low], [low, high]] {
            if let Some(after) = run(position, from, first, second, rules) {
                add(&mut both, after);
            }
        }
    }
    if let Some(runner) = position.mover.runner(rules) {
        for after in ways_from(position, runner, low, high, rules) {
            add(&mut both, after);
        }
    }
    for (first, second) in [(low, high), (high, low)] {
        for from in 1..=POINTS {
            for to in ways(position, from, first, second, rules) {
                add(&mut both, to);
            }
        }
    }
    vec![both, alone(position, high, rules), alone(position, low, rules)]
}

/// The plays of one die, in the order of the points that a checker goes from.
fn alone(position: &Position, die: usize, rules: Rules) -> Vec<Position> {
    (1..=POINTS).filter_map(|from| step(position, from, die, rules)).collect()
}

/// Adds a position to a list that does not hold it.
fn add(list: &mut Vec<Position>, after: Position) {
    if !list.contains(&after) {
        list.push(after);
    }
}

/// Every way to move a checker from a point by the first die and then any by the second.
fn ways(position: &Position, from: usize, first: usize, second: usize, rules: Rules) -> Vec<Position> {
    let under_way = step(position, from, first, rules);
    under_way.map_or(Vec::new(), |at| alone(&at, second, rules))
}

/// Every way to move the runner by the first die and then another checker by the second.
fn ways_from(position: &Position, runner: usize, first: usize, second: usize, rules: Rules) -> Vec<Position> {
    let Some(at) = step(position, runner, first, rules) else {
        return Vec::new();
    };
    let others = (1..=POINTS).filter(|&from| from != runner && from + first != runner);
    others.filter_map(|from| step(&at, from, second, rules)).collect()
}

/// The table of the plays of two different dice, row by row.
///
/// The rows are the points from which a checker can go by the high die. The columns are the points from which a checker
/// can go by the low die. The cell of row `x` and column `y` holds the play of two checkers, one from `x` by the high
/// die and one from `y` by the low die. Two rules on cells:
///
/// * Cells are filled in ascending order, and a cell is left empty if an earlier one holds its play. (One run can be
///   played by two checkers in two ways, if others of the mover's stand on both points under way.)
/// * The cell of row `x` and column `x` cannot be played if only one checker stands on `x`. It then holds the run from
///   `x`, if there is one and no other cell holds it; else it is left empty.
///
/// Rows without an empty cell come first, then those with one, then those with two; among these they ascend. Within a
/// row the columns ascend.
fn table(position: &Position, high: usize, low: usize, rules: Rules) -> Vec<Position> {
    let mut rows: Vec<Vec<Option<Position>>> = Vec::new();
    // The row and the column of each cell (x, x) of a single checker, and x.
    let mut single: Vec<(usize, usize, usize)> = Vec::new();
    for x in 1..=POINTS {
        let Some(after_high) = step(position, x, high, rules) else {
            continue;
        };
        let mut row = Vec::new();
        for y in 1..=POINTS {
            if step(position, y, low, rules).is_none() {
                continue;
            }
            if x == y && position.mover.free[x] == 1 {
                single.push((rows.len(), row.len(), x));
                row.push(None);
            } else {
                let play = step(&after_high, y, low, rules);
                let is_new = !rows.iter().chain([&row]).any(|row| row.contains(&play));
                row.push(play.filter(|_| is_new));
            }
        }
        rows.push(row);
    }
    for (row, column, x) in single {
        let play = run(position, x, high, low, rules);
        let is_new = !rows.iter().any(|row| row.contains(&play));
        rows[row][column] = play.filter(|_| is_new);
    }
    let mut list = Vec::new();
    for empty in 0..=2 {
        for row in &rows {
            if row.iter().filter(|cell| cell.is_none()).count() == empty {
                list.extend(row.iter().flatten().cloned());
            }
        }
    }
    list
}

/// The run of one checker by both dice in this order. It ends on a point. If checkers may be borne off before the roll,
/// it may also bear the checker off exactly.
fn run(position: &Position, from: usize, first: usize, second: usize, rules: Rules) -> Option<Position> {
    let ends_on_a_point = from > first + second;
    let ends_exactly_off = from == first + second && position.mover.may_bear_off(rules);
    if !ends_on_a_point && !ends_exactly_off {
        return None;
    }
    let under_way = step(position, from, first, rules)?;
    step(&under_way, from - first, second, rules)
}

/// The lists of plays of a double: those of the most steps, then those of one step less, and so on. The lists after the
/// first are in the order of [`sequences`].
///
/// While the runner has not passed, it goes first, as often as it must or can. The other steps are played as
/// [`plays_by_uses`] lists them, where a checker is borne off only if checkers might be before the roll.
///
/// If they might not, and all can come home during the roll, there is a second list: [`plays_once_home`]. If the plays
/// of one list take more steps, only they are the first list. If both take as many, the plays of the first come before
/// those of the second.
fn lists_of_a_double(position: &Position, die: usize, rules: Rules) -> Vec<Vec<Position>> {
    let mut at = position.clone();
    let mut left = 4;
    while left > 0
        && let Some(runner) = at.mover.runner(rules)
        && let Some(next) = step(&at, runner, die, rules)
    {
        at = next;
        left -= 1;
    }
    let run = 4 - left;
    if at.mover.runner(rules).is_some() {
        left = 0;
    }
    let bears_off = at.mover.may_bear_off(rules);
    let first = plays_by_uses(&at, die, left, bears_off, rules);
    let second = if bears_off { None } else { plays_once_home(&at, die, left, rules) };
    let most = match second {
        Some(second) if second.steps > first.steps => second,
        Some(second) if second.steps == first.steps => {
            List { steps: first.steps, plays: [first.plays, second.plays].concat() }
        }
        _ => first,
    };
    let steps = run + most.steps;
    let shorter = (1..steps).rev().map(|steps| sequences(position, &vec![die; steps], rules));
    let longest = if steps == 0 { Vec::new() } else { most.plays };
    core::iter::once(longest).chain(shorter).collect()
}

/// Plays that all take the same number of steps.
struct List {
    steps: usize,
    plays: Vec<Position>,
}

/// The plays of up to `steps` steps of a die, the runner having passed.
///
/// A play is given by its *uses*: each point is used as often as a checker steps from it. Different uses lead to
/// different positions. A point `x` is used at most as often as it has checkers and gets some from `x + die`, and only
/// if the point `x - die` is open. The point of the die itself is used only where checkers may be borne off. As many
/// steps are played as possible. The plays stand in the order of their [`SortKey`].
///
/// If steps are left then, and checkers may be borne off, a die larger than the rearmost point bears off from there.
fn plays_by_uses(position: &Position, die: usize, steps: usize, bears_off: bool, rules: Rules) -> List {
    let number = |uses: &[u8; 25]| usize::from(uses.iter().sum::<u8>());
    let checkers = &position.mover.free;
    // From the rear to the front every point has got its checkers when its turn comes.
    let mut all = vec![[0; 25]];
    for point in (1..=POINTS).rev() {
        let lands = point > die && position.is_open(point - die, rules);
        let goes_off = point == die && bears_off;
        if !lands && !goes_off {
            continue;
        }
        for so_far in all.clone() {
            let got = so_far.get(point + die).copied().unwrap_or(0);
            let left = steps - number(&so_far);
            for times in 1..=left.min(usize::from(checkers[point] + got)) {
                let mut uses = so_far;
                uses[point] = times as u8;
                all.push(uses);
            }
        }
    }
    let most = all.iter().map(number).max().unwrap_or(0);
    all.retain(|uses| number(uses) == most);
    all.sort_by_cached_key(|uses| place(uses, checkers, die));

    let mut list = List { steps: most, plays: Vec::new() };
    for uses in &all {
        let mut after = position.clone();
        for point in (1..=POINTS).rev() {
            for _ in 0..uses[point] {
                after = step(&after, point, die, rules).expect("uses can be played");
            }
        }
        // Steps are left only if no other play exists.
        while bears_off
            && list.steps < steps
            && let Some(next) = step(&after, after.mover.rearmost(), die, rules)
        {
            after = next;
            list.steps += 1;
        }
        list.plays.push(after);
    }
    list
}

/// Plays of a double during which the last checkers come home and then at least one checker is borne off; `None`
/// if there are none.
///
/// First every checker outside comes home, the rearmost first; this leaves no choice. Then one checker goes all the way
/// and is borne off exactly: the nearest one on the points `die`, `2 die` and `3 die`. The steps that are left are
/// played as [`plays_by_uses`] lists them, from the position reached and with bearing off.
///
/// If no checker can be borne off exactly, a larger die may bear off the rearmost when nothing else can go.
fn plays_once_home(position: &Position, die: usize, steps: usize, rules: Rules) -> Option<List> {
    let mut at = position.clone();
    let mut left = steps;
    while at.mover.rearmost() > HOME {
        if left == 0 {
            return None;
        }
        at = step(&at, at.mover.rearmost(), die, rules)?;
        left -= 1;
    }
    if !at.mover.may_bear_off(rules) {
        return None;
    }

    let nearest = (1..=3).find(|&times| at.mover.free[times * die] > 0);
    if let Some(times) = nearest.filter(|&times| times <= left) {
        let mut off = Some(at.clone());
        for from in (1..=times).rev() {
            off = off.and_then(|at| step(&at, from * die, die, rules));
        }
        if let Some(off) = off {
            at = off;
            left -= times;
        }
    }
    let rest = plays_by_uses(&at, die, left, true, rules);
    (rest.plays[0].mover.checkers() < position.mover.checkers())
        .then(|| List { steps: steps - left + rest.steps, plays: rest.plays })
}

/// Where the uses of points by a double stand in the list: first by pattern, then by its special point, or 0 if it has
/// none, then by the other points.
///
/// The other points are written in descending order, so the list is in *colexicographic* order: of two choices that one
/// comes first whose highest point is lower; if they share it, the one whose second highest is lower, and so on.
type SortKey = (Pattern, usize, Vec<usize>);

/// The patterns of uses, in their order. `x` is the special point, and `y` is `x - die`. A *run* is a checker that
/// steps from `x` to `y` and on. The other points of a pattern are used once each, unless it says otherwise.
///
/// Where a pattern may use "`x` again", `x` is then one of the other points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pattern {
    /// Points used once each, by checkers that stood there.
    Once,
    /// `x` twice by two checkers, or a run from `x` if only one checker stands there, over an empty `y`.
    Twice,
    /// A run over an empty `y`, from two checkers or more; maybe `x` again.
    Run,
    /// A run over an empty `y` by the only checker of `x`, and another point twice.
    LoneRunAndTwice,
    /// A run over an empty `y` from two checkers or more, and another point twice.
    RunAndTwice,
    /// `x` three times, or a run of three steps over empty points by the only checker of `x`.
    Thrice,
    /// The only checker of `x` joins a single one on `y`, and both go on.
    LoneJoins,
    /// A checker of two or more on `x` joins a single one on `y`, and both go on; maybe `x` again.
    Joins,
    /// A run of three steps over empty points, from two checkers or more; maybe `x` again.
    LongRun,
    /// A step from `x`, and three from points below that leave no choice: `y` and the next two once each, all empty; an
    /// empty `y` once and the next, with a single checker, twice; `y`, with a single checker, twice and the next,
    /// empty, once; or `y`, with two checkers, three times.
    Through,
    /// `x` four times.
    FourTimes,
    /// Two runs from `x` over an empty `y`.
    TwoRuns,
    /// A run from `x` over an empty `y`, and two more checkers of `x`.
    ThriceAndRun,
    /// Two points twice each: the other points.
    TwoTwice,
    /// Runs over empty points from two points: the other points.
    TwoTowersRun,
}

/// The place of uses in a position in which the mover has these checkers.
fn place(uses: &[u8; 25], checkers: &[u8; 25], die: usize) -> SortKey {
    let points = || (1..=POINTS).rev();
    // Points used that often or more, in descending order, when some uses of the special points are left out.
    let used = |times: u8, left_out: &[usize]| -> Vec<usize> {
        let uses_of = |point| uses[point] - left_out.iter().filter(|&&other| other == point).count() as u8;
        points().filter(|&x| uses_of(x) >= times).collect()
    };
    // Points used more often than they have checkers: they get some under way.
    let filled: Vec<usize> = points().filter(|&x| uses[x] > checkers[x]).collect();

    if filled.is_empty() {
        let twice = used(2, &[]);
        return match *twice {
            [] => (Pattern::Once, 0, used(1, &[])),
            [x] if uses[x] == 2 => (Pattern::Twice, x, used(1, &[x, x])),
            [x] if uses[x] == 3 => (Pattern::Thrice, x, used(1, &[x, x, x])),
            [x] => (Pattern::FourTimes, x, Vec::new()),
            _ => (Pattern::TwoTwice, 0, twice),
        };
    }

    let y = filled[0];
    let x = y + die;
    let alone = checkers[x] == 1;
    match *filled {
        [_] if uses[y] == 1 => {
            let others = used(1, &[x, y]);
            match used(2, &[x, y])[..] {
                [] if alone => (Pattern::Twice, x, others),
                [] => (Pattern::Run, x, others),
                [twice] if twice == x => (Pattern::ThriceAndRun, x, Vec::new()),
                _ if alone => (Pattern::LoneRunAndTwice, x, others),
                _ => (Pattern::RunAndTwice, x, others),
            }
        }
        [_] if uses[y] == 2 && checkers[y] == 0 => (Pattern::TwoRuns, x, Vec::new()),
        [_] if uses[y] == 2 && alone => (Pattern::LoneJoins, x, used(1, &[x, y, y])),
        [_] if uses[y] == 2 => (Pattern::Joins, x, used(1, &[x, y, y])),
        [_, lower] if lower + die != y => (Pattern::TwoTowersRun, 0, vec![x, lower + die]),
        [_, lower] if uses[y] == 1 && uses[lower] == 1 && alone => (Pattern::Thrice, x, used(1, &[x, y, lower])),
        [_, lower] if uses[y] == 1 && uses[lower] == 1 => (Pattern::LongRun, x, used(1, &[x, y, lower])),
        _ => (Pattern::Through, x, Vec::new()),
    }
}

/// The points won by the play that led to a position, in which the other side is on roll; 0 for a tie, `None` if the
/// game goes on. A play is made to its end before the game is over.
#[must_use]
pub fn points_won(position: &Position, rules: Rules) -> Option<i32> {
    let (last, next) = (&position.other, &position.mover);
    if let Rules::Plakoto { mother_wins_at_once, .. } = rules
        && next.pinned[POINTS]
    {
        if mother_wins_at_once {
            return Some(2);
        }
        if last.pinned[POINTS] {
            return Some(0);
        }
        if last.free[POINTS] == 0 {
            return Some(2);
        }
    }
    match (last.checkers(), next.checkers()) {
        (0, CHECKERS) => Some(2),
        (0, _) => Some(1),
        _ => None,
    }
}

/// The number of 32-bit words.
const WORDS: u64 = 1 << 32;

/// Output number `number`, from 0 on, of SplitMix64 started at `state`: <https://prng.di.unimi.it/splitmix64.c>. All
/// sums and products are modulo 2^64.
#[must_use]
pub fn split_mix(state: u64, number: u64) -> u64 {
    let steps = number.wrapping_add(1);
    let z = state.wrapping_add(steps.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The random words of a game: xoshiro128++, <https://prng.di.unimi.it/xoshiro128plusplus.c>.
#[derive(Clone, Debug)]
pub struct Stream {
    state: [u32; 4],
}

impl Stream {
    /// The stream of a game. The outputs number 0 and 1 of SplitMix64 started at the seed are two states; of SplitMix64
    /// started at each, the output with the number of the game is `a` and `b`. The state is the lower half of `a`, its
    /// upper half, the lower half of `b` made odd, and its upper half.
    #[must_use]
    pub fn new(seed: u64, game: u64) -> Stream {
        let a = split_mix(split_mix(seed, 0), game);
        let b = split_mix(split_mix(seed, 1), game);
        let (lower, upper) = (|n: u64| (n % WORDS) as u32, |n: u64| (n / WORDS) as u32);
        Stream {
            // Odd, since a state of zeros would only give zeros.
            state: [lower(a), upper(a), lower(b) | 1, upper(b)],
        }
    }

    /// The next word. All sums are modulo 2^32.
    pub fn next_word(&mut self) -> u32 {
        let [s0, s1, s2, s3] = &mut self.state;
        let word = s0.wrapping_add(*s3).rotate_left(7).wrapping_add(*s0);
        // Taken before `s1` changes.
        let shifted = *s1 << 9;
        *s2 ^= *s0;
        *s3 ^= *s1;
        *s1 ^= *s2;
        *s0 ^= *s3;
        *s2 ^= shifted;
        *s3 = s3.rotate_left(11);
        word
    }
}

/// The playouts of one position. The game of each number is a function of these and the number alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Playouts {
    /// The first position.
    pub start: Position,
    /// The rules.
    pub rules: Rules,
    /// The first roll; any of the 36 throws if there is none.
    pub first_roll: Option<[usize; 2]>,
    /// The seed.
    pub seed: u64,
}

/// One playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The points of the player on roll in the first position: 1 or 2, negative if he has lost them, or 0.
    pub points: i32,
    /// The plies played, with passes and the last one.
    pub plies: u32,
    /// The number of plays that the rolls had, all plies together.
    pub offered: u64,
}

impl Playouts {
    /// Plays one game.
    ///
    /// A ply takes one word `w` of the game's stream. Of `36 w`, the quotient `t` by 2^32 is the number of the throw,
    /// whose dice are `t / 6 + 1` and `t mod 6 + 1`, and the remainder is the fraction `f`. Where the roll is given,
    /// `f` is `w`.
    ///
    /// Of `n` [`candidates`] the fraction draws the one whose index, from 0 on, is the quotient of `f n` by 2^32. If
    /// this is no play, since it ends in a forbidden position, the remainder of `f n` takes the place of the fraction,
    /// and draws one of the [`plays`] in the same way. So every play is as likely as any other, and those who draw need
    /// no list where the first draw is a play.
    #[must_use]
    pub fn play(&self, game: u64) -> GameEnd {
        let mut stream = Stream::new(self.seed, game);
        let mut position = self.start.clone();
        let (mut plies, mut offered) = (0, 0);
        loop {
            let word = u64::from(stream.next_word());
            let (dice, fraction) = match self.first_roll {
                Some(dice) if plies == 0 => (dice, word),
                _ => {
                    let throw = (36 * word / WORDS) as usize;
                    ([throw / 6 + 1, throw % 6 + 1], 36 * word % WORDS)
                }
            };
            let draw = |list: &[Position], fraction: u64| {
                let product = fraction * list.len() as u64;
                (list[(product / WORDS) as usize].clone(), product % WORDS)
            };
            let list = plays(&position, dice, self.rules);
            let (drawn, rest) = draw(&candidates(&position, dice, self.rules), fraction);
            position = if list.contains(&drawn) { drawn } else { draw(&list, rest).0 };
            plies += 1;
            offered += list.len() as u64;
            if let Some(won) = points_won(&position, self.rules) {
                // The first player plays the odd plies.
                let points = if plies % 2 == 1 { won } else { -won };
                return GameEnd { points, plies, offered };
            }
        }
    }
}
