//! The specification: what a playout is, in one file that runs.
//!
//! The words that a game draws, the plays of a roll, their order, and the play that a word picks are all promised,
//! since a change of any of them changes the value of every playout. This file defines them with arrays and loops
//! alone. The file needs nothing but the standard library. It uses nothing of the `tavli` crate, so a fault of the one
//! is not a fault of the other. Whoever writes a compatible program, in any language, needs only this file.
//!
//! It is slow: it plays every way to move to count the plays. The library counts them without listing them;
//! `docs/algebra.md` shows how.
//!
//! The tests compare the library with it. In `tests/suite`, `specification.rs` compares the list of plays, index by
//! index, and the games of long runs, and `playouts.rs` games of varied positions on every tier.
//!
//! The file has the licence of the project. Anybody may write a program to this specification.
//!
//! Read it from the top: [`Position`], [`step`], [`plays`], [`Stream`], [`FirstRoll`], [`Playouts::play`].

/// The number of the bar. The points are 1 to 24.
pub const BAR: usize = 25;
/// The highest point of the home board, which has the points 1 to 6.
pub const HOME: usize = 6;

/// The rules of a game. All have the moves of backgammon. They differ in their starts, and in the points of a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Whoever has borne off all his checkers wins 1 point. He wins 2, a gammon, if the other side has borne off none,
    /// and 3, a backgammon, if moreover it has a checker on the bar or in the winner's home board.
    Backgammon,
    /// Whoever has all his checkers in his home board wins 1 point. No checker is borne off.
    McGammon,
    /// Backgammon in which a game is worth 2 points at most.
    Portes,
    /// Backgammon from another start.
    Nackgammon,
    /// Backgammon with three checkers a side.
    Hypergammon,
    /// Backgammon with all checkers at the far end.
    Longgammon,
}

impl Rules {
    /// The position in which a game begins; it looks the same from both sides.
    #[must_use]
    pub fn start(self) -> Position {
        let mut side = [0; 26];
        let checkers = match self {
            Rules::Backgammon | Rules::McGammon | Rules::Portes => {
                vec![(24, 2), (13, 5), (8, 3), (6, 5)]
            }
            Rules::Nackgammon => vec![(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)],
            Rules::Hypergammon => vec![(24, 1), (23, 1), (22, 1)],
            Rules::Longgammon => vec![(24, 15)],
        };
        for (point, number) in checkers {
            side[point] = number;
        }
        Position { mover: side, other: side }
    }

    /// The checkers of a side. Those that stand nowhere are borne off.
    fn checkers(self) -> u8 {
        if self == Rules::Hypergammon { 3 } else { 15 }
    }
}

/// Where the checkers of both sides stand. Each side counts in its own frame: its checkers move from point 24 down to
/// point 1. `[p]` is the number of checkers on point `p`, and `[25]` that on the bar. `[0]` is always 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// The checkers of the player on roll.
    pub mover: [u8; 26],
    /// The checkers of the other player. His point `25 - p` is the mover's point `p`.
    pub other: [u8; 26],
}

impl Position {
    /// The same position with the other player on roll.
    fn turned(&self) -> Position {
        Position { mover: self.other, other: self.mover }
    }

    /// Whether the mover has no checker outside his home board.
    fn all_home(&self) -> bool {
        self.rearmost() <= HOME
    }

    /// The rearmost point with a checker of the mover's, the bar being the last; 0 if he has no checkers.
    fn rearmost(&self) -> usize {
        (1..=BAR).rev().find(|&x| self.mover[x] > 0).unwrap_or(0)
    }

    /// Whether the mover may put a checker on a point of the board: the other side has less than two there.
    fn is_open(&self, point: usize) -> bool {
        self.other[BAR - point] < 2
    }
}

/// The position after one checker of the mover's has gone from a point by a die; `None` if the rules forbid it.
///
/// * A checker on the bar goes before any other.
/// * A checker goes from `x` to `x - die`, unless the other side has two or more checkers there. A single one is hit:
///   it goes to its bar.
/// * If all checkers are home, a checker on the point of the die is borne off. One on a lower point is borne off, too,
///   if no checker stands behind it. In McGammon none is.
#[must_use]
pub fn step(position: &Position, from: usize, die: usize, rules: Rules) -> Option<Position> {
    if position.mover[from] == 0 || (position.mover[BAR] > 0 && from != BAR) {
        return None;
    }
    let mut next = position.clone();
    next.mover[from] -= 1;
    if from > die {
        let to = from - die;
        if !position.is_open(to) {
            return None;
        }
        next.mover[to] += 1;
        if next.other[BAR - to] == 1 {
            next.other[BAR - to] = 0;
            next.other[BAR] += 1;
        }
        return Some(next);
    }
    let borne_off = from == die || from == position.rearmost();
    (rules != Rules::McGammon && position.all_home() && borne_off).then_some(next)
}

/// The plays of a roll, in their order. Each is the position that it leads to, with the other player on roll.
///
/// A play is a distinct position: ways to move that end alike are one play. As many dice are played as possible, up to
/// two, or four of a double. If of two different dice only one can be played, it is the larger if possible. If no
/// checker can move, the one play is a pass. Both sides must have a checker left.
#[must_use]
pub fn plays(position: &Position, dice: [usize; 2], rules: Rules) -> Vec<Position> {
    let [high, low] = [dice[0].max(dice[1]), dice[0].min(dice[1])];
    let list = if high == low {
        plays_of_a_double(position, high, rules)
    } else {
        plays_of_two_dice(position, high, low, rules)
    };
    list.iter().map(Position::turned).collect()
}

/// The plays of two different dice, the larger of which is `high`. The parts of the list follow one another. A position
/// already in the list is not listed again. Points are taken in ascending order.
///
/// 1. The table; see [`table`].
/// 2. With a checker on the bar: it enters by the low die, and any checker goes by the high one. Then 5 follows.
/// 3. Runs by the high die first, and then runs by the low die first.
/// 4. What is left, by the low die first and then by the high die first: the first die brings the last checker home, or
///    takes it out of the way of a larger die, and the second bears a checker off.
/// 5. If the list is still empty: the plays of the high die alone, or if there are none, those of the low one alone, or
///    if there are none, the pass.
fn plays_of_two_dice(position: &Position, high: usize, low: usize, rules: Rules) -> Vec<Position> {
    let mut list = table(position, high, low, rules);
    if position.mover[BAR] > 0 {
        for after in ways(position, low, high, rules) {
            add(&mut list, after);
        }
    } else {
        for dice in [[high, low], [low, high]] {
            for from in 1..BAR {
                if let Some(after) = run(position, from, dice, rules) {
                    add(&mut list, after);
                }
            }
        }
        for (first, second) in [(low, high), (high, low)] {
            for after in ways(position, first, second, rules) {
                add(&mut list, after);
            }
        }
    }
    for die in [high, low] {
        if list.is_empty() {
            list = (1..=BAR).filter_map(|from| step(position, from, die, rules)).collect();
        }
    }
    if list.is_empty() {
        list.push(position.clone());
    }
    list
}

/// Adds a position to a list that does not hold it.
fn add(list: &mut Vec<Position>, after: Position) {
    if !list.contains(&after) {
        list.push(after);
    }
}

/// The table of the plays of two different dice, row by row.
///
/// The rows are the points from which a checker can go by the high die. The columns are the points from which a
/// checker can go by the low die; with a checker on the bar, those from which one can after the checker of the row has
/// entered. The cell of row `x` and column `y` holds the play of two checkers, one from `x` by the high die and one
/// from `y` by the low die. Two rules on cells:
///
/// * Cells are filled in ascending order, and a cell is left empty if an earlier one holds its play. (One run can be
///   played by two checkers in two ways, if others of the mover's stand on both points under way.)
/// * The cell of row `x` and column `x` cannot be played if only one checker stands on `x`. It then holds the run from
///   `x` by the high die first, if no other cell does; else it is left empty.
///
/// Rows without an empty cell come first, then those with one, then those with two; among these they ascend. Within a
/// row the columns ascend.
fn table(position: &Position, high: usize, low: usize, rules: Rules) -> Vec<Position> {
    let mut rows: Vec<Vec<Option<Position>>> = Vec::new();
    // The row and the column of each cell (x, x) of a single checker, and x.
    let mut single: Vec<(usize, usize, usize)> = Vec::new();
    for x in 1..=BAR {
        let Some(after_high) = step(position, x, high, rules) else {
            continue;
        };
        let before_low = if x == BAR { &after_high } else { position };
        let mut row = Vec::new();
        for y in 1..=BAR {
            if step(before_low, y, low, rules).is_none() {
                continue;
            }
            if x == y && position.mover[x] == 1 {
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
        let play = run(position, x, [high, low], rules);
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

/// The run of one checker by both dice in this order. It ends on a point. If all checkers are home before the roll, it
/// may also bear the checker off exactly.
fn run(position: &Position, from: usize, dice: [usize; 2], rules: Rules) -> Option<Position> {
    let [first, second] = dice;
    let ends_on_a_point = from > first + second;
    let ends_exactly_off = from == first + second && position.all_home();
    if !ends_on_a_point && !ends_exactly_off {
        return None;
    }
    let under_way = step(position, from, first, rules)?;
    step(&under_way, from - first, second, rules)
}

/// Every way to play two dice in this order, by the points that the first and then the second checker comes from.
fn ways(position: &Position, first: usize, second: usize, rules: Rules) -> Vec<Position> {
    let mut all = Vec::new();
    for x in 1..=BAR {
        if let Some(under_way) = step(position, x, first, rules) {
            for y in 1..=BAR {
                all.extend(step(&under_way, y, second, rules));
            }
        }
    }
    all
}

/// The plays of a double.
///
/// Checkers on the bar enter first, at most four. If one cannot, or a fifth is there, this is the only play. The other
/// steps are played as [`plays_by_uses`] lists them, where a checker is borne off only if all were home before the
/// roll.
///
/// If they were not, and all can come home during the roll, there is a second list: [`plays_once_home`]. If the plays
/// of one list take more steps, only they count. If both take as many, the first list comes before the second.
fn plays_of_a_double(position: &Position, die: usize, rules: Rules) -> Vec<Position> {
    let mut entered = position.clone();
    let mut left = 4;
    while left > 0
        && let Some(next) = step(&entered, BAR, die, rules)
    {
        entered = next;
        left -= 1;
    }
    if entered.mover[BAR] > 0 {
        return vec![entered];
    }
    let bears_off = rules != Rules::McGammon && entered.all_home();
    let first = plays_by_uses(&entered, die, left, bears_off, rules);
    if rules == Rules::McGammon || bears_off {
        return first.plays;
    }
    match plays_once_home(&entered, die, left, rules) {
        Some(second) if second.steps > first.steps => second.plays,
        Some(second) if second.steps == first.steps => [first.plays, second.plays].concat(),
        _ => first.plays,
    }
}

/// Plays that all take the same number of steps.
struct List {
    steps: usize,
    plays: Vec<Position>,
}

/// The plays of up to `steps` steps of a die, with no checker on the bar.
///
/// A play is given by its *uses*: each point is used as often as a checker steps from it. Different uses lead to
/// different positions. A point `x` is used at most as often as it has checkers and gets some from `x + die`, and only
/// if the point `x - die` is open. The point of the die itself is used only where checkers may be borne off. As many
/// steps are played as possible. The plays stand in the order of their [`SortKey`].
///
/// If steps are left then, and checkers may be borne off, a die larger than the rearmost point bears off from there.
fn plays_by_uses(position: &Position, die: usize, steps: usize, bears_off: bool, rules: Rules) -> List {
    let number = |uses: &[u8; 26]| usize::from(uses.iter().sum::<u8>());
    // From the rear to the front every point has got its checkers when its turn comes.
    let mut all = vec![[0; 26]];
    for point in (1..BAR).rev() {
        let lands = point > die && position.is_open(point - die);
        let goes_off = point == die && bears_off;
        if !lands && !goes_off {
            continue;
        }
        for so_far in all.clone() {
            let got = so_far.get(point + die).copied().unwrap_or(0);
            let left = steps - number(&so_far);
            for times in 1..=left.min(usize::from(position.mover[point] + got)) {
                let mut uses = so_far;
                uses[point] = times as u8;
                all.push(uses);
            }
        }
    }
    let most = all.iter().map(number).max().unwrap_or(0);
    all.retain(|uses| number(uses) == most);
    all.sort_by_cached_key(|uses| place(uses, &position.mover, die));

    let mut list = List { steps: most, plays: Vec::new() };
    for uses in &all {
        let mut after = position.clone();
        for point in (1..BAR).rev() {
            for _ in 0..uses[point] {
                after = step(&after, point, die, rules).expect("uses can be played");
            }
        }
        // Steps are left only if no other play exists.
        while bears_off
            && list.steps < steps
            && let Some(next) = step(&after, after.rearmost(), die, rules)
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
    while !at.all_home() {
        if left == 0 {
            return None;
        }
        at = step(&at, at.rearmost(), die, rules)?;
        left -= 1;
    }

    let nearest = (1..=3).find(|&times| at.mover[times * die] > 0);
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
    let checkers = |position: &Position| position.mover.iter().sum::<u8>();
    (checkers(&rest.plays[0]) < checkers(position))
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
fn place(uses: &[u8; 26], checkers: &[u8; 26], die: usize) -> SortKey {
    let points = || (1..BAR).rev();
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

/// How a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstRoll {
    /// With any of the 36 throws.
    Any,
    /// With one of the 15 non-doubles.
    Open,
    /// With these dice.
    Given([usize; 2]),
    /// With throws that come up evenly, by the number of the game; see [`stratified_throws`].
    Stratified,
}

/// The 36 throws: number `t` has the dice `t / 6 + 1` and `t mod 6 + 1`.
fn throws() -> Vec<[usize; 2]> {
    (0..36).map(|t| [t / 6 + 1, t % 6 + 1]).collect()
}

/// The 15 non-doubles: 21, 31, 32, 41, .. 65.
fn openings() -> Vec<[usize; 2]> {
    let of_high = |high| (1..high).map(move |low| [high, low]);
    (2..=6).flat_map(of_high).collect()
}

/// The numbers of the throws with which a stratified game begins, on its first ply and on its second.
///
/// The seed draws two permutations `p` and `q` of the 36 throws, each by a Fisher-Yates shuffle: start with 0, 1, ..
/// 35; for `i` from 35 down to 1, exchange the entries `i` and `j`. Here `j` is `(i + 1) u / 2^32` rounded down, and
/// `u` is the upper half of the next output of SplitMix64 started at the seed. `p` takes the outputs from number 2 on,
/// and `q` those behind. (Outputs 0 and 1 make the streams.) Game `g` begins with the throw `p[g mod 36]`, and its
/// second ply has the throw `q[(g / 36 + g) mod 36]`, the quotient rounded down and the sum not modulo 2^64.
#[must_use]
pub fn stratified_throws(seed: u64, game: u64) -> [usize; 2] {
    let mut permutations: [[usize; 36]; 2] = [core::array::from_fn(|i| i); 2];
    let mut number = 2;
    for permutation in &mut permutations {
        for i in (1..36).rev() {
            let u = split_mix(seed, number) / WORDS;
            let j = (i as u64 + 1) * u / WORDS;
            permutation.swap(i, j as usize);
            number += 1;
        }
    }
    let [p, q] = permutations;
    [p[(game % 36) as usize], q[((game / 36 + game % 36) % 36) as usize]]
}

/// The playouts of one position. The game of each number is a function of these and the number alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Playouts {
    /// The first position.
    pub start: Position,
    /// The rules.
    pub rules: Rules,
    /// How a game begins.
    pub first_roll: FirstRoll,
    /// The seed.
    pub seed: u64,
    /// The ply after which a game is cut off, if it has not ended before.
    pub truncation: Option<u32>,
}

/// One playout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The points of the player on roll in the first position: 1, 2 or 3, negative if he has lost them; `None` if
    /// the game was cut off.
    pub points: Option<i32>,
    /// The plies played, with passes and the last one.
    pub plies: u32,
    /// The last position, seen by the player who would be on roll next.
    pub last: Position,
    /// The number of plays that the rolls had, all plies together.
    pub offered: u64,
}

impl Playouts {
    /// Plays one game.
    ///
    /// A ply takes one word `w` of the game's stream. Of `36 w`, the quotient by 2^32 is the number of the throw and
    /// the remainder is the fraction `f`. Of `n` plays it is the one whose index, from 0 on, is `f n / 2^32` rounded
    /// down. On the first ply, `open` takes `15 w` and the 15 rolls instead. Where the roll is given or stratified, `f`
    /// is `w`; a stratified game has two such plies.
    #[must_use]
    pub fn play(&self, game: u64) -> GameEnd {
        let mut stream = Stream::new(self.seed, game);
        let mut position = self.start.clone();
        let (mut plies, mut offered) = (0, 0);
        loop {
            let rolls = match (self.first_roll, plies) {
                (FirstRoll::Open, 0) => openings(),
                (FirstRoll::Given(dice), 0) => vec![dice],
                (FirstRoll::Stratified, 0) => vec![throws()[stratified_throws(self.seed, game)[0]]],
                (FirstRoll::Stratified, 1) => vec![throws()[stratified_throws(self.seed, game)[1]]],
                _ => throws(),
            };
            let product = u64::from(stream.next_word()) * rolls.len() as u64;
            let (throw, fraction) = (product / WORDS, product % WORDS);
            let list = plays(&position, rolls[throw as usize], self.rules);
            let index = fraction * list.len() as u64 / WORDS;
            position = list[index as usize].clone();
            plies += 1;
            offered += list.len() as u64;

            let won = won_by_last_play(&position, self.rules);
            // The first player plays the odd plies.
            let points = won.map(|won| if plies % 2 == 1 { won } else { -won });
            if points.is_some() || self.truncation == Some(plies) {
                return GameEnd { points, plies, last: position, offered };
            }
        }
    }
}

/// The points won by the play that led to a position, in which the loser is on roll; `None` if the game goes on.
fn won_by_last_play(position: &Position, rules: Rules) -> Option<i32> {
    let (winner, loser) = (&position.turned(), &position.mover);
    match rules {
        Rules::McGammon => winner.all_home().then_some(1),
        _ if winner.rearmost() > 0 => None,
        _ if loser.iter().sum::<u8>() < rules.checkers() => Some(1),
        // The winner's home board is the loser's points 19 to 24.
        _ if rules != Rules::Portes && position.rearmost() >= BAR - HOME => Some(3),
        _ => Some(2),
    }
}
