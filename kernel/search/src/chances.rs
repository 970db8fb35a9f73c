//! The chances of a game as equally likely throws, so that a chance of weight 2 is two throws.

use crate::random::Random;

/// The chance of each throw.
#[derive(Clone, Debug)]
pub(crate) struct ChanceWeights(Vec<u8>);

impl ChanceWeights {
    pub(crate) fn new(weights: &[u32]) -> ChanceWeights {
        let throws: Vec<u8> =
            (0_u8..).zip(weights).flat_map(|(chance, &weight)| core::iter::repeat_n(chance, weight as usize)).collect();
        // A throw has a byte in the order of throws.
        assert!((1..=255).contains(&throws.len()), "the weights of a game are 1 to 255 in all");
        ChanceWeights(throws)
    }

    /// A chance at random.
    pub(crate) fn draw(&self, random: &mut Random) -> usize {
        usize::from(self.0[random.below(self.0.len())])
    }

    /// A random order of all throws, for stratified sampling.
    pub(crate) fn order(&self, random: &mut Random) -> ThrowOrder {
        let count = self.0.len();
        let first = random.below(count) as u8;
        let mut stride = 1 + random.below(count);
        // It ends: 1 is coprime to any number.
        while !are_coprime(stride, count) {
            stride = stride % count + 1;
        }
        ThrowOrder([first, stride as u8])
    }

    /// The chance of visit number `visit`, from 0, in an order.
    pub(crate) fn in_order(&self, order: ThrowOrder, visit: u32) -> usize {
        let ThrowOrder([first, stride]) = order;
        let count = self.0.len() as u64;
        let throw = (u64::from(first) + u64::from(visit) * u64::from(stride)) % count;
        usize::from(self.0[throw as usize])
    }
}

/// An order of throws: the first, and a stride to the next one, coprime to the number of throws. Two bytes fit a word
/// of a tree, which a permutation would not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThrowOrder([u8; 2]);

impl ThrowOrder {
    pub(crate) fn to_word(self) -> u32 {
        u32::from(u16::from_le_bytes(self.0))
    }

    pub(crate) fn from_word(word: u32) -> ThrowOrder {
        ThrowOrder((word as u16).to_le_bytes())
    }
}

fn are_coprime(a: usize, b: usize) -> bool {
    if b == 0 { a == 1 } else { are_coprime(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Streams;

    #[test]
    fn every_order_has_all_throws() {
        let weights: Vec<u32> = (0..21).map(|roll| 1 + u32::from(roll % 3 > 0)).collect();
        for weights in [&weights[..], &[1], &[2, 2], &[7]] {
            let throws = ChanceWeights::new(weights);
            let all: u32 = weights.iter().sum();
            for simulation in 0..100 {
                let order = throws.order(&mut Streams::new(1, 2).stream(simulation));
                let order = ThrowOrder::from_word(order.to_word());
                for round in 0..3 {
                    let mut counts = vec![0; weights.len()];
                    for visit in 0..all {
                        counts[throws.in_order(order, round * all + visit)] += 1;
                    }
                    assert_eq!(counts, weights);
                }
            }
        }
    }
}
