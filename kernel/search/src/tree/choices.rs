//! Choices in the words of a tree: their layout, how they are read, and how visits are counted.
//!
//! ```text
//! count n and capacity p | visits | tried | first to try | p visits | p sums | p children
//! with progressive bias also: n choices, the best first | n biases, in the same order
//! ```
//!
//! Choices have at least as much capacity as their count; in a tree with shortcuts at least [`INLINE_CHOICES`], so that
//! the counts of few are read and written as whole vectors.

use core::{array, hint};

/// The word of a child that has not joined the tree.
pub(super) const NONE: u32 = u32::MAX;

/// The bit of a child's word that is the address of the choices below the child, not the child's node. Numbers of nodes
/// are smaller than it.
pub(super) const SHORTCUT: u32 = 1 << 31;

/// The most choices among which selection needs no branch for each.
// Most positions of draughts have no more, and two vectors of four hold them on every CPU of x86-64.
pub(super) const INLINE_CHOICES: usize = 8;

/// The visits and the sum of an entry without a choice: its bound is below any choice's.
const EMPTY: (u32, u32) = (1, (-(1 << 30_i32)) as u32);

/// The address of the choices after a chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ChoicesId(pub(super) u32);

impl ChoicesId {
    const HEAD: usize = 4;
    /// The count in the low half of the word, the capacity in the high half.
    const COUNT: usize = 0;
    const VISITS: usize = 1;
    const TRIED: usize = 2;
    const FIRST: usize = 3;

    /// The root of a tree is its first block.
    pub(super) const ROOT: ChoicesId = ChoicesId(0);

    /// The words of choices with this capacity.
    pub(super) const fn words(choices: usize, capacity: usize, is_biased: bool) -> usize {
        // Not a record for each choice: the bounds of 16 choices are computed side by side, from neighbouring words.
        ChoicesId::HEAD + 3 * capacity + if is_biased { 2 * choices } else { 0 }
    }

    #[inline]
    pub(super) const fn at(self) -> usize {
        self.0 as usize
    }

    /// Adds choices without visits, with this capacity. `ranked` has each choice with its bias, the best first; it is
    /// empty without progressive bias.
    pub(super) fn push(
        words: &mut Vec<u32>,
        count: usize,
        capacity: usize,
        first: usize,
        ranked: &[(u32, f32)],
    ) -> ChoicesId {
        assert!(count <= capacity && capacity <= u16::MAX.into(), "{count} choices are too many");
        debug_assert!(first < count, "the first choice to try is one of the choices");
        debug_assert!(ranked.is_empty() || ranked.len() == count, "each choice has its rank");
        let base = words.len();
        words.extend([(capacity << u16::BITS | count) as u32, 0, 0, first as u32]);
        let visits = base + ChoicesId::HEAD;
        words.resize(visits + count, 0);
        words.resize(visits + capacity, EMPTY.0);
        words.resize(visits + capacity + count, 0);
        words.resize(visits + 2 * capacity, EMPTY.1);
        words.resize(visits + 3 * capacity, NONE);
        words.extend(ranked.iter().map(|(choice, _)| choice));
        words.extend(ranked.iter().map(|(_, bias)| bias.to_bits()));
        debug_assert_eq!(words.len() - base, ChoicesId::words(count, capacity, !ranked.is_empty()));
        ChoicesId(base as u32)
    }

    /// The choices among the words of a tree.
    #[inline]
    pub(super) fn view(self, words: &[u32]) -> ChoicesView<'_> {
        ChoicesView { words: &words[self.at()..] }
    }

    /// The choices with all of their words, if they are few, in a tree with shortcuts.
    #[inline(always)]
    pub(super) fn inline(self, words: &mut [u32]) -> Option<InlineChoices<'_>> {
        let words: &mut [u32; InlineChoices::WORDS] = words[self.at()..].first_chunk_mut()?;
        let inline = InlineChoices { words, choices: self };
        (inline.count() as usize <= INLINE_CHOICES).then_some(inline)
    }

    /// See [`Arena::visit_with_virtual_loss`](super::arena::Arena::visit_with_virtual_loss).
    #[inline]
    pub(super) fn visit_with_virtual_loss(self, words: &mut [u32], selected: Selected) -> Visited {
        let view = self.view(words);
        let (count, capacity) = (view.count(), view.capacity());
        debug_assert!(selected.choice < count, "a choice is one of {count}");
        let visits = self.at() + ChoicesId::HEAD + selected.choice;
        let sum = visits + capacity;
        words[self.at() + ChoicesId::VISITS] += 1;
        words[self.at() + ChoicesId::TRIED] += u32::from(selected.is_untried);
        debug_assert!(self.view(words).tried() <= count);
        words[visits] += 1;
        words[sum] = words[sum].wrapping_sub(1);
        Visited::new(sum, self, words[sum + capacity])
    }

    /// The choice at an entry of a path, which was made among these.
    #[inline]
    pub(super) fn choice_of_entry(self, entry: u32, view: ChoicesView<'_>) -> usize {
        let choice = entry as usize - (self.at() + ChoicesId::HEAD + view.capacity());
        debug_assert!(choice < view.count(), "an entry is one of {} choices", view.count());
        choice
    }

    /// The address of the word of the node after a choice.
    #[inline]
    pub(super) fn child_address(self, choice: usize, view: ChoicesView<'_>) -> usize {
        self.at() + ChoicesId::HEAD + 2 * view.capacity() + choice
    }
}

/// Choices, read from their words.
#[derive(Clone, Copy)]
pub(super) struct ChoicesView<'a> {
    /// From the first word of the block to the end of the arena.
    words: &'a [u32],
}

impl<'a> ChoicesView<'a> {
    /// How many choices there are, at least 1.
    #[inline]
    pub(super) fn count(self) -> usize {
        usize::from(self.words[ChoicesId::COUNT] as u16)
    }

    /// For how many choices there are words.
    #[inline]
    pub(super) fn capacity(self) -> usize {
        (self.words[ChoicesId::COUNT] >> u16::BITS) as usize
    }

    /// The visits to all choices together.
    #[inline]
    pub(super) fn visits(self) -> u32 {
        self.words[ChoicesId::VISITS]
    }

    /// How many choices have visits.
    #[inline]
    pub(super) fn tried(self) -> usize {
        self.words[ChoicesId::TRIED] as usize
    }

    /// The choice that is tried first without progressive bias; the others follow in their order.
    #[inline]
    fn first(self) -> usize {
        self.words[ChoicesId::FIRST] as usize
    }

    /// The choice that is tried next without progressive bias, if there is one without visits.
    pub(super) fn next_untried(self) -> Option<usize> {
        let choice = self.first() + self.tried();
        let wrapped = if choice < self.count() { choice } else { choice - self.count() };
        (self.tried() < self.count()).then_some(wrapped)
    }

    /// The visits of each choice, and the sum of the values of each: an `i32` in two's complement.
    #[inline]
    pub(super) fn visits_and_sums(self) -> (&'a [u32], &'a [u32]) {
        let count = self.count();
        let (visits, sums) = self.words[ChoicesId::HEAD..].split_at(self.capacity());
        (&visits[..count], &sums[..count])
    }

    /// With progressive bias: the choices by their heuristic values, the best first, and the bias of each as the bits
    /// of an `f32`.
    #[inline]
    pub(super) fn ranks_and_biases(self) -> (&'a [u32], &'a [u32]) {
        let count = self.count();
        let ranks = &self.words[ChoicesId::HEAD + 3 * self.capacity()..];
        ranks[..2 * count].split_at(count)
    }

    /// The word of the node after a choice.
    #[inline]
    pub(super) fn child_word(self, choice: usize) -> u32 {
        self.words[ChoicesId::HEAD + 2 * self.capacity() + choice]
    }
}

/// At most [`INLINE_CHOICES`] choices in a tree with shortcuts, all of their words at hand.
pub(super) struct InlineChoices<'a> {
    words: &'a mut [u32; InlineChoices::WORDS],
    choices: ChoicesId,
}

impl InlineChoices<'_> {
    const WORDS: usize = ChoicesId::words(INLINE_CHOICES, INLINE_CHOICES, false);
    const VISITS: usize = ChoicesId::HEAD;
    const SUMS: usize = InlineChoices::VISITS + INLINE_CHOICES;
    const CHILDREN: usize = InlineChoices::SUMS + INLINE_CHOICES;

    /// How many choices there are, at least 1.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        u32::from(self.words[ChoicesId::COUNT] as u16)
    }

    /// The visits to all choices together.
    #[inline(always)]
    pub(super) fn visits(&self) -> u32 {
        self.words[ChoicesId::VISITS]
    }

    /// How many choices have visits.
    #[inline(always)]
    pub(super) fn tried(&self) -> u32 {
        self.words[ChoicesId::TRIED]
    }

    /// The choice that is tried first; the others follow in their order.
    #[inline(always)]
    pub(super) fn first(&self) -> u32 {
        self.words[ChoicesId::FIRST]
    }

    /// The visits of each choice, and the sum of the values of each: an `i32` in two's complement. Entries without a
    /// choice have a value below any choice's.
    #[inline(always)]
    pub(super) fn visits_and_sums(&self) -> [&[u32; INLINE_CHOICES]; 2] {
        let (visits, sums) = self.words[InlineChoices::VISITS..InlineChoices::CHILDREN].split_at(INLINE_CHOICES);
        [visits, sums].map(|words| words.try_into().expect("there are as many"))
    }

    /// See [`Arena::visit_with_virtual_loss`](super::arena::Arena::visit_with_virtual_loss).
    // Whole vectors are written, for store forwarding: a vector load that covers a word just written would wait until
    // the word is in the cache, and the simulations of a group read the first choices of a tree one after the other.
    #[inline(always)]
    pub(super) fn visit_with_virtual_loss(self, selected: Selected) -> Visited {
        /// For each choice, 1 at its index.
        static ONE: [[u32; INLINE_CHOICES]; INLINE_CHOICES] = {
            let mut one = [[0; INLINE_CHOICES]; INLINE_CHOICES];
            let mut choice = 0;
            while choice < INLINE_CHOICES {
                one[choice][choice] = 1;
                choice += 1;
            }
            one
        };
        let choice = selected.choice % INLINE_CHOICES;
        debug_assert!(choice < self.count() as usize, "a choice is one of {}", self.count());
        let one = &ONE[choice];
        let (visits, sums) = self.words[InlineChoices::VISITS..InlineChoices::CHILDREN].split_at_mut(INLINE_CHOICES);
        let [visits, sums]: [&mut [u32; INLINE_CHOICES]; 2] =
            [visits, sums].map(|words| words.try_into().expect("their entries"));
        *visits = array::from_fn(|index| visits[index].wrapping_add(one[index]));
        *sums = array::from_fn(|index| sums[index].wrapping_sub(one[index]));
        self.words[ChoicesId::VISITS] += 1;
        self.words[ChoicesId::TRIED] += u32::from(selected.is_untried);
        let entry = self.choices.at() + InlineChoices::SUMS + choice;
        Visited::new(entry, self.choices, self.words[InlineChoices::CHILDREN + choice])
    }
}

/// A choice that a simulation makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Selected {
    pub(super) choice: usize,
    /// Whether the choice has no visits yet.
    pub(super) is_untried: bool,
}

impl Selected {
    pub(super) const fn untried(choice: usize) -> Selected {
        Selected { choice, is_untried: true }
    }

    pub(super) const fn tried(choice: usize) -> Selected {
        Selected { choice, is_untried: false }
    }
}

/// A choice that was visited.
#[derive(Clone, Copy, Debug)]
pub(super) struct Visited {
    /// The entry of the simulation's path: the address of the choice's sum.
    pub(super) entry: u32,
    /// Whether a shortcut leads to choices below the choice.
    pub(super) followed_shortcut: bool,
    /// The choices that the shortcut leads to; without one, the choices that it was made among.
    pub(super) choices: ChoicesId,
}

impl Visited {
    #[inline(always)]
    fn new(entry: usize, before: ChoicesId, child: u32) -> Visited {
        let followed_shortcut = (child & SHORTCUT != 0) & (child != NONE);
        Visited {
            entry: entry as u32,
            followed_shortcut,
            // No branch: where simulations leave the tree cannot be predicted.
            choices: ChoicesId(hint::select_unpredictable(followed_shortcut, child & !SHORTCUT, before.0)),
        }
    }
}
