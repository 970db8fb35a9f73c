//! Many positions at a time, on an instruction set.

use tavli_backgammon::board::Planes;
use tavli_backgammon::games::Decisions;
use tavli_backgammon::plays::Change;
use tavli_simd::{HalfIsa, Halves, Sums};

use super::IntegerNetwork;
use super::activations::{Activate, Activations};
use super::dense::TOGETHER;
use super::line::{LINE, Line};
use super::steps::{BEGIN, CHECKERS, NOTHING, PLACES_A_SIDE};
use crate::net::Outputs;

/// What the logistic functions are taken of, for some positions: an array for each output.
pub(super) type Logits = [Vec<f32>; Outputs::MOST];

/// The side, in what a play leads to, of the player about to roll.
const NEXT: usize = 0;
/// The side of the player who made the play.
const MOVER: usize = 1;

/// Positions whose hidden layers are worked on one after another, so that weights stay near.
const BLOCK: usize = 4 * TOGETHER;

/// Steps that are taken out of sums, each with one that is put in.
type Exchanges = Vec<[usize; 2]>;

/// The counts of a side by point. At 0 stand those that it has borne off.
fn counts(planes: [u32; 4]) -> [u8; PLACES_A_SIDE] {
    let mut counts = [0; PLACES_A_SIDE];
    for point in 1..PLACES_A_SIDE {
        let mut count = 0;
        for (bit, plane) in planes.iter().enumerate() {
            count |= (plane >> point & 1) << bit;
        }
        counts[point] = count as u8;
    }
    let on_board = counts.iter().sum::<u8>();
    counts[0] = (CHECKERS as u8).saturating_sub(on_board);
    counts
}

impl IntegerNetwork {
    /// The steps that lead to a position, from [`BEGIN`] on.
    pub(super) fn steps_to(&self, sides: [[u32; 4]; 2], steps: &mut Vec<usize>) {
        steps.push(BEGIN);
        for (side, planes) in sides.into_iter().enumerate() {
            let places = self.first.steps.of_side(side);
            for (place, count) in places.iter().zip(counts(planes)) {
                let taken = place[..usize::from(count)].iter();
                steps.extend(taken.map(|&step| usize::from(step)));
            }
        }
    }

    /// What positions give, one after another.
    #[inline(always)]
    pub(super) fn value_positions<I: HalfIsa>(&self, isa: I, positions: &[Planes]) -> Logits {
        let mut work = Work::new(self, positions.len());
        for position in positions {
            work.begin(isa, [position.own(), position.opponent()]);
            work.value(isa, &[]);
        }
        work.finish(isa)
    }

    /// What the plays of decisions lead to, seen by the player next on roll.
    #[inline(always)]
    pub(super) fn value_plays<I: HalfIsa>(&self, isa: I, decisions: &Decisions) -> Logits {
        let mut work = Work::new(self, decisions.changes().len());
        let mut exchanges = Exchanges::new();
        for (decision, position) in decisions.positions().iter().enumerate() {
            work.begin(isa, [position.opponent(), position.own()]);
            let place = Places::new(self, position);
            for change in decisions.changes_of(decision) {
                if let Some(few) = place.few(change) {
                    work.value(isa, &few);
                } else {
                    place.exchanges(change, &mut exchanges);
                    work.value(isa, &exchanges);
                }
            }
        }
        work.finish(isa)
    }
}

/// The places of a decision's position.
struct Places<'a> {
    net: &'a IntegerNetwork,
    next: [u8; PLACES_A_SIDE],
    mover: [u8; PLACES_A_SIDE],
    /// The step of one checker more on each of the mover's points; [`NOTHING`] at 32, the lowest bit of an empty mask.
    more: [usize; 33],
    /// That of the last checker there.
    fewer: [usize; 33],
}

impl Places<'_> {
    fn new<'a>(net: &'a IntegerNetwork, position: &Planes) -> Places<'a> {
        let mover = counts(position.own());
        let (mut more, mut fewer) = ([NOTHING; 33], [NOTHING; 33]);
        let steps = net.first.steps.of_side(MOVER);
        for point in 1..PLACES_A_SIDE {
            let (place, count) = (&steps[point], usize::from(mover[point]));
            if count < CHECKERS {
                more[point] = usize::from(place[count]);
            }
            if count > 0 {
                fewer[point] = usize::from(place[count - 1]);
            }
        }
        Places {
            net,
            next: counts(position.opponent()),
            mover,
            more,
            fewer,
        }
    }

    /// The exchanges of a play that moves at most two checkers, to points of which it gains one each, and hits nothing:
    /// most plays. There are no branches, which would be mispredicted.
    #[inline(always)]
    fn few(&self, change: &Change) -> Option<[[usize; 2]; 2]> {
        let ([fewer, fewer_2, fewer_4], [more, more_2, more_4]) = (change.fewer(), change.more());
        let others = fewer_2 | fewer_4 | more_2 | more_4 | change.hit_mask();
        let without_lowest = |mask: u32| mask & mask.wrapping_sub(1);
        let (second_fewer, second_more) = (without_lowest(fewer), without_lowest(more));
        let beyond = without_lowest(second_fewer) | without_lowest(second_more);
        let borne_off = fewer.count_ones() != more.count_ones();
        let exchange = |fewer: u32, more: u32| {
            [
                self.fewer[fewer.trailing_zeros() as usize],
                self.more[more.trailing_zeros() as usize],
            ]
        };
        (others | beyond == 0 && !borne_off)
            .then(|| [exchange(fewer, more), exchange(second_fewer, second_more)])
    }

    /// The exchanges of any play.
    fn exchanges(&self, change: &Change, exchanges: &mut Exchanges) {
        exchanges.clear();
        let steps = self.net.first.steps;
        let mover = steps.of_side(MOVER);
        for (point, number) in change.losing() {
            let (point, number) = (usize::from(point), usize::from(number));
            let left = usize::from(self.mover[point]) - number;
            let taken = mover[point][left..][..number].iter();
            exchanges.extend(taken.map(|&step| [usize::from(step), NOTHING]));
        }
        let mut puts = exchanges.iter_mut().map(|[_, put]| put);
        for (point, number) in change.gaining() {
            let (point, number) = (usize::from(point), usize::from(number));
            let put = mover[point][usize::from(self.mover[point])..][..number].iter();
            for &step in put {
                *puts.next().expect("a checker that lands has left a point") = usize::from(step);
            }
        }
        // The others are borne off.
        let off = usize::from(self.mover[0]);
        for (put, &step) in puts.zip(&mover[0][off..]) {
            *put = usize::from(step);
        }
        let next = steps.of_side(NEXT);
        let bar = usize::from(self.next[PLACES_A_SIDE - 1]);
        for (point, &put) in change.hits().zip(&next[PLACES_A_SIDE - 1][bar..]) {
            let blot = next[PLACES_A_SIDE - 1 - usize::from(point)][0];
            exchanges.push([usize::from(blot), usize::from(put)]);
        }
    }
}

/// Positions being valued.
struct Work<'a> {
    net: &'a IntegerNetwork,
    steps: Vec<usize>,
    /// The sums of the first layer of the position that plays start from.
    base: Vec<Line>,
    /// The activations of the first layer of the positions of a block, if there are other hidden layers.
    block: Vec<Line>,
    in_block: usize,
    /// The activations of a layer, and of the next.
    layers: [Vec<Line>; 2],
    logits: Logits,
}

impl<'a> Work<'a> {
    fn new(net: &'a IntegerNetwork, positions: usize) -> Work<'a> {
        let widths = net.hidden.iter().map(|layer| layer.width());
        let widest = widths.max().map_or(0, |width| width.max(net.first.width));
        let block = || vec![Line::ZERO; BLOCK * widest];
        let outputs = net.outputs.count();
        Work {
            net,
            steps: Vec::with_capacity(2 * CHECKERS + 1),
            base: vec![Line::ZERO; net.first.width],
            block: block(),
            in_block: 0,
            layers: [block(), block()],
            logits: core::array::from_fn(|output| {
                Vec::with_capacity(if output < outputs { positions } else { 0 })
            }),
        }
    }

    /// Goes to another position that plays start from, given by its sides.
    #[inline(always)]
    fn begin<I: HalfIsa>(&mut self, isa: I, sides: [[u32; 4]; 2]) {
        self.steps.clear();
        self.net.steps_to(sides, &mut self.steps);
        let first = &self.net.first;
        for line in 0..first.width {
            let mut at = 0;
            while at < LINE {
                let mut sum = isa.halves(0);
                for &step in &self.steps {
                    sum = sum.plus(sum.read(&first.row(step)[line].0[at..]));
                }
                sum.write(&mut self.base[line].0[at..]);
                at += I::Halves::LANES;
            }
        }
    }

    /// Values the position after these exchanges of the one begun with.
    #[inline(always)]
    fn value<I: HalfIsa>(&mut self, isa: I, exchanges: &[[usize; 2]]) {
        match &self.net.first.activations {
            Activations::Clipped(clipped) => self.value_with(isa, clipped, exchanges),
            Activations::Squashed(squashed) => self.value_with(isa, squashed, exchanges),
        }
    }

    #[inline(always)]
    fn value_with<I: HalfIsa>(
        &mut self,
        isa: I,
        activate: &impl Activate,
        exchanges: &[[usize; 2]],
    ) {
        if self.net.hidden.is_empty() {
            match self.net.last.rows.len() {
                3 => self.value_shallow::<I, 3>(isa, activate, exchanges),
                _ => self.value_shallow::<I, 5>(isa, activate, exchanges),
            }
        } else {
            let width = self.net.first.width;
            let from = self.in_block * width;
            for line in 0..width {
                let mut at = 0;
                while at < LINE {
                    let activations = self.activations(isa, activate, exchanges, line, at);
                    activations.write(&mut self.block[from + line].0[at..]);
                    at += I::Halves::LANES;
                }
            }
            self.in_block += 1;
            if self.in_block == BLOCK {
                self.flush(isa);
            }
        }
    }

    /// The activations of some units of the first layer after exchanges.
    #[inline(always)]
    fn activations<I: HalfIsa>(
        &self,
        isa: I,
        activate: &impl Activate,
        exchanges: &[[usize; 2]],
        line: usize,
        at: usize,
    ) -> I::Halves {
        let first = &self.net.first;
        let mut sum = isa.halves(0).read(&self.base[line].0[at..]);
        for &[out, put] in exchanges {
            sum = sum.minus(sum.read(&first.row(out)[line].0[at..]));
            sum = sum.plus(sum.read(&first.row(put)[line].0[at..]));
        }
        activate.of(isa, sum, line, at)
    }

    /// Values a position by a net of one hidden layer.
    #[inline(always)]
    fn value_shallow<I: HalfIsa, const OUTPUTS: usize>(
        &mut self,
        isa: I,
        activate: &impl Activate,
        exchanges: &[[usize; 2]],
    ) {
        let zero = isa.halves(0);
        let mut sums = [zero.dot(zero); OUTPUTS];
        for line in 0..self.net.first.width {
            let mut at = 0;
            while at < LINE {
                let activations = self.activations(isa, activate, exchanges, line, at);
                for output in 0..OUTPUTS {
                    let weights = zero.read(&self.net.last.rows[output][line].0[at..]);
                    sums[output] = sums[output].plus(activations.dot(weights));
                }
                at += I::Halves::LANES;
            }
        }
        self.put(isa, sums);
    }

    /// Adds the logits of sums.
    #[inline(always)]
    fn put<I: HalfIsa, const OUTPUTS: usize>(
        &mut self,
        isa: I,
        sums: [<I::Halves as Halves>::Sums; OUTPUTS],
    ) {
        let zero = isa.halves(0);
        let mut output = 0;
        while output < OUTPUTS {
            let mut four = [zero.dot(zero); 4];
            let number = (OUTPUTS - output).min(4);
            four[..number].copy_from_slice(&sums[output..][..number]);
            let totals = Sums::totals(four);
            for &total in &totals[..number] {
                let sum = total.wrapping_add(self.net.last.biases[output]);
                self.logits[output].push(sum as f32 * self.net.last.units[output]);
                output += 1;
            }
        }
    }

    /// Runs the layers after the first for the positions of the block.
    #[inline(always)]
    fn flush<I: HalfIsa>(&mut self, isa: I) {
        let padded = self.in_block.next_multiple_of(TOGETHER);
        let mut width = self.net.first.width;
        let [before, after] = &mut self.layers;
        before[..padded * width].copy_from_slice(&self.block[..padded * width]);
        for layer in &self.net.hidden {
            layer.run(isa, &before[..padded * width], after);
            width = layer.width();
            core::mem::swap(before, after);
        }
        for position in 0..self.in_block {
            match self.net.last.rows.len() {
                3 => self.put_outputs::<I, 3>(isa, position * width, width),
                _ => self.put_outputs::<I, 5>(isa, position * width, width),
            }
        }
        self.in_block = 0;
    }

    /// Adds the logits of a position whose last activations begin at `from`.
    #[inline(always)]
    fn put_outputs<I: HalfIsa, const OUTPUTS: usize>(&mut self, isa: I, from: usize, width: usize) {
        let zero = isa.halves(0);
        let mut sums = [zero.dot(zero); OUTPUTS];
        for line in 0..width {
            let mut at = 0;
            while at < LINE {
                let activations = zero.read(&self.layers[0][from + line].0[at..]);
                for output in 0..OUTPUTS {
                    let weights = zero.read(&self.net.last.rows[output][line].0[at..]);
                    sums[output] = sums[output].plus(activations.dot(weights));
                }
                at += I::Halves::LANES;
            }
        }
        self.put(isa, sums);
    }

    /// What all positions gave.
    #[inline(always)]
    fn finish<I: HalfIsa>(mut self, isa: I) -> Logits {
        if self.in_block > 0 {
            self.flush(isa);
        }
        self.logits
    }
}
