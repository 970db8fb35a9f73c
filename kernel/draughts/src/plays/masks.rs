//! Steps and jumps of a position as sets of squares.

use tavli_simd::Vector;

use crate::board::squares::{Mover, step, step_back};

/// The pieces of positions in which the same side moves, one in each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pieces<V> {
    /// The side to move.
    pub(crate) own: V,
    /// The other side.
    pub(crate) other: V,
    /// Kings of both.
    pub(crate) kings: V,
}

impl<V: Vector> Pieces<V> {
    /// The pieces after one has gone from a square to another and taken those on the squares `over`. The side to move
    /// is still the same.
    #[inline(always)]
    pub(crate) fn moved<M: Mover>(self, from: V, to: V, over: V) -> Pieces<V> {
        let stay = to.zero_unless(self.kings.test_any_bit(from));
        Pieces {
            own: self.own ^ from ^ to,
            other: self.other ^ over,
            // Cleared before they are set: a king that jumps round a closed loop ends where it began.
            kings: (self.kings & !(from | over)) | stay | (to & M::LAST_ROW),
        }
    }
}

/// Where pieces can step and jump from, in each direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks<V> {
    /// Pieces that can step.
    pub(crate) steps: [V; 4],
    /// Pieces that can jump.
    pub(crate) jumps: [V; 4],
    /// Squares from which any piece that went in that direction could jump, whatever stands on them.
    pub(crate) gaps: [V; 4],
}

impl<V: Vector> Masks<V> {
    #[inline(always)]
    pub(crate) fn new<M: Mover>(pieces: &Pieces<V>) -> Masks<V> {
        let &Pieces { own, other, kings } = pieces;
        let empty = !(own | other);
        let own_kings = own & kings;
        let movers = [own, own, own_kings, own_kings];
        let mut masks = Masks { steps: movers, jumps: movers, gaps: movers };
        for direction in 0..4 {
            let rotation = M::ROTATIONS[direction];
            let neighbours = M::NEIGHBOURS[direction];
            let before_empty = step_back(empty, rotation) & neighbours;
            let gaps = step_back(other & before_empty, rotation) & neighbours;
            masks.steps[direction] = movers[direction] & before_empty;
            masks.jumps[direction] = movers[direction] & gaps;
            masks.gaps[direction] = gaps;
        }
        masks
    }

    /// The pieces that can jump in any direction.
    #[inline(always)]
    pub(crate) fn all_jumps(&self) -> V {
        let [a, b, c, d] = self.jumps;
        (a | b) | (c | d)
    }

    /// Squares where the first jump of a piece leads.
    #[inline(always)]
    pub(crate) fn landings<M: Mover>(&self) -> [V; 4] {
        let mut landings = self.jumps;
        for direction in 0..4 {
            landings[direction] = step(landings[direction], 2 * M::ROTATIONS[direction] % 32);
        }
        landings
    }

    /// Lanes in which a capture may take more than one piece, and perhaps some others: if the side has a king, men
    /// count as if they could go on like kings.
    #[inline(always)]
    pub(crate) fn may_go_on<M: Mover>(&self, own_kings: V) -> V::Lanes {
        let [a, b, c, d] = self.landings::<M>();
        let forward = self.gaps[0] | self.gaps[1];
        let backward = self.gaps[2] | self.gaps[3];
        let next = forward | backward.zero_unless(!own_kings.lanes_zero());
        // Lanes that cannot go on do no harm: what counts and makes such captures knows those of one piece, too.
        ((a | b) | (c | d)).test_any_bit(next)
    }
}

/// The bits of four sets.
#[inline(always)]
pub(super) fn bits<V: Vector>(&[a, b, c, d]: &[V; 4]) -> V {
    a.count_ones_with([b, c, d])
}
