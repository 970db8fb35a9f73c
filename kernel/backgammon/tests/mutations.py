#!/usr/bin/env python3
"""Mutation check: plants faults in the rules and the algebra, one at a time, and sees the tests fail.

    python3 kernel/backgammon/tests/mutations.py           # all faults, in a scratch copy of the tracked files
    python3 kernel/backgammon/tests/mutations.py towers    # only those whose file or meaning contains "towers"
    python3 kernel/backgammon/tests/mutations.py --places  # no tests: does each fault's piece stand in the source?

Each fault replaces one piece of the source, which must occur exactly once: when the code changes, update
the faults. The signature test is left out, since it only compares the library with its
own past. A fault is caught if a test fails or runs for more than two minutes (an endless game). Exits
with 1 if one survives. The scratch copy and its build stay in target/mutations.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCRATCH = ROOT / "target" / "mutations"
TIMEOUT_SECONDS = 120

SUITE = ["--package", "tavli-backgammon", "--test", "suite"]
# The tests, the quickest to fail first: cargo's target and a filter of test names.
STAGES = [
    (SUITE, "rules::"),
    (SUITE, "have_the_specified_lists"),
    (SUITE, "play_the_specified_games"),
    (SUITE, "playouts::"),
    (SUITE, "playout_laws::"),
    (SUITE, "of_the_golden_rows"),
    (SUITE, "reference::"),
    (SUITE, "portable_build::"),
    (["--package", "tavli-simd", "--lib"], ""),
]

PLAYS = "kernel/backgammon/src/plays/"
ALGEBRA = "kernel/algebra/src/"
PLAYOUT = "kernel/backgammon/src/playout/"
# File, the code as it is, the code as it must not be, and what the fault means.
FAULTS = [
    ("kernel/backgammon/src/rules/goal.rs", "const TO_CLEAR: u32 = !HOME;", "const TO_CLEAR: u32 = !(HOME | 0x80);",
     "mcgammon: the 7 point counts as home"),
    ("kernel/backgammon/src/rules/rule_set.rs", "other.occupied() >> 19 != 0", "other.occupied() >> 20 != 0",
     "backgammon: the winner's 6 point is not his home"),
    ("kernel/backgammon/src/rules/rule_set.rs", "other.borne_off(self.checkers()) > 0", "other.borne_off(self.checkers()) > 1",
     "gammon although one checker is off"),
    ("kernel/backgammon/src/rules/rule_set.rs", "other.borne_off(self.checkers()) > 0", "other.borne_off(15) > 0",
     "hypergammon: twelve checkers that the game does not have are off"),
    ("kernel/backgammon/src/rules/rule_set.rs", "largest_win: Win::Gammon,", "largest_win: Win::Backgammon,",
     "portes: a triple game"),
    ("kernel/backgammon/src/rules/rule_set.rs", "(24, 2), (23, 2), (13, 4)", "(24, 2), (23, 2), (13, 5)",
     "nackgammon: sixteen checkers"),
    (PLAYS + "non_doubles/masks.rs", "(rearmost & !not_below(high))", "(rearmost & !not_below(low))",
     "the larger die bears off only what the smaller could"),
    (PLAYS + "non_doubles/non_double_plays.rs", "number.max(low.count_ones())", "number.wrapping_add(low.count_ones())",
     "the smaller die although the larger can be played"),
    (PLAYS + "non_doubles/masks.rs", "& high_open & !(high_hits | low_hits);", "& high_open & !high_hits;",
     "a hit on entering by the low die is overlooked"),
    (PLAYS + "non_doubles/masks.rs", "let high_hits = blots.shl(high);", "let high_hits = blots.shl(low);",
     "the hit under way of a run is sought at the wrong point"),
    (PLAYS + "non_doubles/masks.rs", "let twice = high_follows & low_follows;",
     "let twice = high_follows | low_follows;",
     "clones: a run by two pairs"),
    (PLAYS + "non_doubles/masks.rs", "let both_open = high_open.shl(low);", "let both_open = low_open.shl(low);",
     "runs end on a blocked point"),
    (ALGEBRA + "second_die.rs", "let same = ((difference | hits) & !OFF_BIT).lanes_zero();",
     "let same = (difference & !OFF_BIT).lanes_zero();",
     "a straggler that runs off hits nothing"),
    (ALGEBRA + "second_die.rs", "let bears_off = !exact.lanes_less(left) & !after.lanes_zero();", "let bears_off = !exact.lanes_less(left);",
     "the last straggler is borne off by both dice"),
    (ALGEBRA + "pair_table.rs", ".wrapping_sub(index.splat(2))", ".wrapping_sub(index.splat(1))",
     "picking: rows that lack two columns pass for wider"),
    (PLAYS + "non_doubles/masks.rs",
     "let lone = itself & !high_lacks;\n        // If both pairs stand for one run, one is missing.\n"
     "        let twice = high_follows & low_follows;\n"
     "        let rows = [by_high & !(lone | twice), lone ^ twice, lone & twice];\n"
     "        let high_runs = high_lacks & !itself;",
     "let lone = itself;\n        let twice = high_follows & low_follows;\n"
     "        let rows = [by_high & !(lone | twice), lone ^ twice, lone & twice];\n"
     "        let high_runs = high_lacks;",
     "the same plays in another order: a lone checker's run behind the table"),
    (PLAYS + "double_masks.rs", "let over_three = can_enter & (counts[2] | counts[3]);",
     "let over_three = can_enter & counts[2];",
     "eight or more checkers on the bar"),
    (ALGEBRA + "double_masks.rs", "let step_3 = step_2 & can_step.shl(die).shl(die);", "let step_3 = step_2;",
     "a third step over a blocked point"),
    (ALGEBRA + "plays.rs", "PatternPlays::with_special(run_of_two, other_two.zero_unless(four));",
     "PatternPlays::with_special(can_run, other_two.zero_unless(four));",
     "a lone checker's run counted with those of two"),
    (ALGEBRA + "plays.rs", "played.beside_three(number.wrapping_sub(die.splat(2)))", "played.beside_three(others)",
     "a point used twice is used once more"),
    (ALGEBRA + "plays.rs", "let other_two = number_of_two.wrapping_sub(one);", "let other_two = number_of_two;",
     "a tower is combined with itself"),
    (ALGEBRA + "plays.rs", "| (long_run & through_empty.shl(die).shl(die));", ";",
     "no run of four steps"),
    (ALGEBRA + "plays.rs", "PatternPlays::without_special(runs.choose_2()", "PatternPlays::without_special(number_of_two.choose_2()",
     "two lone checkers do not run"),
    (ALGEBRA + "larger_die.rs", "let left = left.zero_unless((at_least[0] & not_below(die)).lanes_zero());", "",
     "a double bears off from beyond the die"),
    (ALGEBRA + "larger_die.rs", "at_least[this] & (at_least[this + 1] | !*source)", "at_least[this] & !*source",
     "a double bears off one checker of a point only"),
    (ALGEBRA + "pattern.rs", "[1, 2, 1, 0], [1, 3, 0, 0]]", "[1, 3, 0, 0], [1, 3, 0, 0]]",
     "four steps through a point of two move five checkers"),
    (ALGEBRA + "subsets.rs", "product = product * (n - i) / (i + 1);", "product = product * (n - i) / (i + 2);",
     "binomials"),
    (ALGEBRA + "bear_in.rs", "let stay_counts = !counts_too | stay.masks().steps_played.lanes_equal(die.splat(4));",
     "let stay_counts = !counts_too;",
     "plays that bear nothing off are lost"),
    (ALGEBRA + "bear_in.rs", "exactly | (home & bear_off.masks().steps_played.lanes_less(left))", "exactly",
     "a larger die does not bear off what has just come home"),
    (ALGEBRA + "bear_in.rs", "let from_second = !from_first & occupied.test_any_bit(second);",
     "let from_second = occupied.test_any_bit(second);",
     "the shortest way off is not the shortest"),
    (ALGEBRA + "bear_in.rs", "let second = (first & open).shl(die);",
     "let second = first.shl(die);",
     "bearing off by way of a blocked point"),
    (ALGEBRA + "bear_in.rs", "& steps.lanes_less(die.splat(4))", "& steps.lanes_less(die.splat(3))",
     "three steps home and one off are not considered"),
    (ALGEBRA + "bear_in.rs",
     "let stays = index.lanes_less(self.stay_plays);\n"
     "        let stay = self.stay.steps::<false>(&self.stay.uses(index.zero_unless(stays)));\n"
     "        let uses = self.bear_off.uses(index.wrapping_sub(self.stay_plays).zero_unless(!stays));",
     "let others = self.plays.wrapping_sub(self.stay_plays);\n"
     "        let stays = !index.lanes_less(others);\n"
     "        let stay = self.stay.steps::<false>(&self.stay.uses(index.wrapping_sub(others).zero_unless(stays)));\n"
     "        let uses = self.bear_off.uses(index.zero_unless(!stays));",
     "the same plays in another order: those that bear off come first"),
    (ALGEBRA + "planes.rs", "let e3 = l2.subtract_borrows(s2, borrow);", "let e3 = (!l2) & s2;",
     "a borrow is lost in moving checkers"),
    (PLAYS + "planes.rs", "shl_by::<{ BAR as u32 }>()", "shl_by::<{ BAR as u32 + 1 }>()",
     "two hits send three checkers to the bar"),
    (ALGEBRA + "planes.rs", "counts[3] = counts[3] ^ carry_3;", "counts[3] = counts[3];",
     "the eighth checker on a point vanishes"),
    (ALGEBRA + "planes.rs", "landings[0] & !OFF_BIT,", "landings[0],",
     "checkers borne off stay at index 0"),
    (PLAYS + "masks.rs", "let (_, other_made) = planes::occupied_and_made(other);",
     "let other_made = planes::occupied_and_made(other).1 & !2;",
     "the opponent's ace point is never closed"),
    (PLAYS + "board_delta.rs", "        ones | twos | fours\n", "        ones | twos\n",
     "four checkers on a blot do not hit"),
    (PLAYS + "board_delta.rs", "        ones | twos | fours\n", "        ones | fours\n",
     "two checkers on a blot do not hit"),
    (PLAYS + "play_set.rs", "(all_but_last | (made & !HOME)).lanes_zero()", "outside.lanes_zero()",
     "nothing is borne off once the last straggler is home"),
    (PLAYS + "play_set.rs", "NonDoubleSet::<B, true, false>::new(masks, high, low)",
     "NonDoubleSet::<B, false, false>::new(masks, high, low)",
     "checkers on the bar need not enter"),
    (PLAYS + "opponent.rs", "if !hits.lanes_equal(self.hits) {", "if !hits.lanes_zero() {",
     "listing: what a play hits stays on the bar in the next"),
    (PLAYS + "non_doubles/list.rs", "PlayKind::LowRuns => (low, source.shr(low)),", "PlayKind::LowRuns => (high, source.shr(high)),",
     "listing: runs by the low die first go by the high one first"),
    (PLAYS + "side_deltas.rs", "self.moved_between(sources & !landings, landings & !sources)", "self.moved_between(sources, landings)",
     "listing: one checker steps to where another starts"),
    (PLAYS + "side_deltas.rs", "Needs([Any, Any, Set, Set, Clear, Clear, Never, Never])", "Needs([Any, Any, Set, Set, Clear, Any, Never, Never])",
     "listing: a fourth checker on a point unmakes it"),
    (PLAYS + "perft.rs", "below.after_chance(roll.weight())", "below.after_chance(2)",
     "perft: doubles weigh double"),
    (PLAYS + "reference.rs", "let larger = sequences.iter().map(|s| s.dice[0]).max();",
     "let larger = sequences.iter().map(|s| s.dice[0]).min();",
     "reference: the smaller die is forced"),
    (PLAYS + "reference.rs", "if from != BAR && count(BAR) > 0 {", "if from != BAR && count(BAR) > 1 {",
     "reference: one checker on the bar may wait"),
    (PLAYOUT + "dice.rs", "0 | 1 => self.preset(game).rolls()[ply as usize],\n            _ => &Roll::THROWS,",
     "0 | 1 => self.preset(game).rolls()[ply as usize],\n            _ => &Roll::THROWS[..35],",
     "6-6 comes up in the first two rolls only"),
    ("kernel/backgammon/src/rules/rule_set.rs", "let by_first = plies % 2 == 1;", "let by_first = plies % 2 == 0;",
     "the loser wins"),
    (PLAYOUT + "scalar.rs", "if won || plies == max_plies {", "if won || plies > max_plies {",
     "truncation a ply late"),
    (PLAYOUT + "throws.rs", "word.splat(OPENINGS).blend(open, word.splat(ANY))", "word.splat(ANY)",
     "batch: an open first roll is drawn from 36 bytes of the table"),
    (PLAYOUT + "throws.rs", "fraction.blend(drawn, word),", "fraction,",
     "batch: after a given first roll the fraction of any throw draws the play"),
    (PLAYOUT + "stratified.rs", "let fraction = split.next_u64() >> 32;", "let fraction = split.next_u64() & 0xffff_ffff;",
     "the throws are shuffled by other bits, as evenly as before"),
    (PLAYOUT + "throws.rs", "Preset(first | second << BITS)", "Preset(first | first << BITS)",
     "batch: the second stratified throw is the first again"),
    (PLAYOUT + "block.rs", "self.begun.as_mut()[lane] = ply.wrapping_sub(game.plies);", "self.begun.as_mut()[lane] = ply;",
     "pool: a game that moves to another lane begins anew"),
    (PLAYOUT + "block.rs", "self.stream[bit].as_mut()[lane] = game.stream[bit];", "self.stream[bit].as_mut()[lane] = game.stream[0];",
     "pool: a game that moves to another lane takes the wrong words along"),
    (PLAYOUT + "pool.rs", "at_most_one_outside(occupied, made)", "(occupied & !crate::board::HOME).lanes_zero()",
     "pool: games move too late to the one that bears off"),
    (PLAYOUT + "pool.rs", "plays = plays.wrapping_add(offered.zero_unless(masked.non_doubles));", "plays = plays.wrapping_add(offered);",
     "pool: plays of idle and queued lanes are counted"),
    (PLAYOUT + "pool.rs", "            slot.cells = masked.masks.cells();", "            slot_before.cells = masked.masks.cells();",
     "pool: a play is selected by the masks of the next block"),
    (PLAYOUT + "queues.rs", "self.towers.write(before, &uses);", "self.towers.write(at, &uses);",
     "queue: plays of doubles go to the lanes of the next vector"),
    ("kernel/simd/src/cpu.rs", "AMD => family < 0x19,", "AMD => family < 0x17,",
     "Zen to Zen 2 pass for CPUs with a fast PDEP"),
    ("kernel/simd/src/avx512.rs", "self.splat(0x0101_0100)", "self.splat(0x0101_0101)",
     "AVX-512: bits of a byte count as below it"),
    ("kernel/simd/src/avx512.rs", "const RAISED: u64 = 0x0000_0000_0102_0000;", "const RAISED: u64 = 0x0000_0000_0100_0000;",
     "AVX-512: the last bits of four are taken for others"),
    ("kernel/simd/src/x86_v4.rs", "self.splat(0x0101_0100)", "self.splat(0x0101_0101)",
     "x86-64-v4: bits of a byte count as below it"),
    ("kernel/simd/src/x86_v4.rs", "self.look_up_or(&of_rank[2], is_odd, &of_rank[3])", "self.look_up_or(&of_rank[2], is_odd, &of_rank[2])",
     "x86-64-v4: the last bits of four are taken for others"),
    ("kernel/simd/src/avx2.rs", "let (low, high) = self.nibbles(&RAISED, &REVERSED);",
     "let (low, high) = self.nibbles(&REVERSED, &RAISED);",
     "AVX2: bits of a byte keep their places but for the order of its halves"),
    ("kernel/game/src/streams.rs", "state.wrapping_add(game.wrapping_mul(SPLIT_MIX_STEP))",
     "state.wrapping_add((game & 0xffff_ffff).wrapping_mul(SPLIT_MIX_STEP))",
     "game numbers of 32 bits"),
    ("kernel/game/src/streams.rs", "b as u32 | 1, (b >> 32) as u32]",
     "b as u32, (b >> 32) as u32]",
     "the set bit of the streams"),
    (PLAYOUT + "tally.rs", "self.longest = self.longest.max(other.longest);", "self.longest = other.longest;",
     "merged tallies forget the longest game"),
    (PLAYOUT + "occupancy.rs", "sums[usize::from(point) - 1] += u64::from(side.count(point));",
     "sums[usize::from(point) - 1] += 1;",
     "occupancy counts points, not checkers"),
    (PLAYOUT + "start.rs", "if shut_out(board) && shut_out(&board.swapped()) {", "if shut_out(board) {",
     "one side shut out passes for a deadlock"),
    ("kernel/backgammon/src/dice.rs", "let (a, b) = (i as u8 / 6 + 1, i as u8 % 6 + 1);",
     "let (a, b) = (6 - i as u8 / 6, i as u8 % 6 + 1);",
     "the throws in another order, as likely as before"),
    ("kernel/backgammon/src/dice.rs", "if !Self::ALL[from].is_double() {", "if to < 14 && !Self::ALL[from].is_double() {",
     "6-5 never opens, 2-1 twice as often"),
    ("kernel/simd/src/scalar.rs", "mask & mask.wrapping_neg()", "mask",
     "CPUs without BMI2: picking a bit"),
]


def scratch_copy():
    """The tracked files, where a build of an earlier run can go on."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True
    ).stdout.split(b"\0")
    names = {name for name in map(os.fsdecode, tracked) if name and (ROOT / name).exists()}
    for copy in filter(pathlib.Path.is_file, (SCRATCH / "copy").rglob("*")):
        if str(copy.relative_to(SCRATCH / "copy")) not in names:
            copy.unlink()
    for name in names:
        source, copy = ROOT / name, SCRATCH / "copy" / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)


def run_stages():
    """The stage that failed and how, or None if the tests passed."""
    environment = dict(
        os.environ,
        CARGO_TARGET_DIR=str(SCRATCH / "target"),
        CARGO_PROFILE_TEST_DEBUG="0",
        CARGO_PROFILE_TEST_OPT_LEVEL="2",
        RUST_BACKTRACE="0",
    )
    environment.pop("TAVLI_THOROUGH", None)
    for target, names in STAGES:
        build = ["cargo", "test", "--quiet", *target]
        built = subprocess.run(
            [*build, "--no-run"], cwd=SCRATCH / "copy", env=environment, capture_output=True, text=True
        )
        if "error[E0080]" in built.stderr:
            return "the compiler: a constant cannot be computed"
        if built.returncode != 0:
            sys.exit(f"the fault does not compile:\n{built.stderr}")
        test = [*build, "--", names, "--skip", "recorded_signature"]
        tested = subprocess.Popen(
            test, cwd=SCRATCH / "copy", env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,
        )
        try:
            output, _ = tested.communicate(timeout=TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            return f"{names or target[-1]}: ran for more than {TIMEOUT_SECONDS} s"
        finally:
            # After a timeout or Ctrl-C; without cargo its test program would run for ever.
            if tested.poll() is None:
                os.killpg(tested.pid, signal.SIGKILL)
                tested.wait()
        if tested.returncode != 0:
            failures = [
                line.split()[1] for line in output.splitlines()
                if line.startswith("----") and line.endswith("stdout ----")
            ]
            return f"{names or target[-1]}: {', '.join(failures) or 'aborted'}"
    return None


def check_places():
    """Exits unless each fault replaces one piece of the source."""
    for name, sound, _, _ in FAULTS:
        places = (ROOT / name).read_text().count(sound) if (ROOT / name).exists() else 0
        if places != 1:
            sys.exit(f"{name}: {places} places, not one, read\n{sound}")


def main():
    check_places()
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    if wanted == "--places":
        return
    scratch_copy()
    failed = run_stages()
    if failed:
        sys.exit(f"the tests fail without any fault: {failed}")
    survivors, tried = [], 0
    for name, sound, faulty, meaning in FAULTS:
        if wanted not in f"{name}: {meaning}":
            continue
        path = SCRATCH / "copy" / name
        text = path.read_text()
        started = time.monotonic()
        path.write_text(text.replace(sound, faulty))
        try:
            caught = run_stages()
        finally:
            path.write_text(text)
        tried += 1
        if caught is None:
            survivors.append(meaning)
        seconds = time.monotonic() - started
        file = name.removeprefix("kernel/backgammon/src/")
        print(f"{'caught' if caught else 'SURVIVED':8}  {file:22} {meaning}  [{caught or '-'}; {seconds:.0f} s]", flush=True)
    print(f"{tried - len(survivors)} of {tried} faults caught")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
