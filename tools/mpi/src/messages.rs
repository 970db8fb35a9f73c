//! The messages between ranks: sums of numbers to rank 0, and numbers from rank 0 to all.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use tavli::rollout::{Communicator, Rollout, Shard};
use tavli::run::Cpus;
use tavli::search::SearchResult;
use tavli_terminal::failure::Failure;

/// The numbers of all ranks, in order, on every rank.
pub(crate) fn gather(ranks: &impl Communicator, number: u64) -> Vec<u64> {
    let mut numbers = vec![0; ranks.count()];
    numbers[ranks.rank()] = number;
    ranks.sum(&mut numbers);
    ranks.broadcast(&mut numbers);
    numbers
}

/// The value of each rank; if any rank failed, a failure on every rank, reported by the first that failed.
pub fn agree_on_result<T>(ranks: &impl Communicator, made: Result<T, Failure>) -> Result<T, Failure> {
    let own = match &made {
        Ok(_) => 0,
        Err(failure) => 1 + u64::from(failure.status()),
    };
    let all = gather(ranks, own);
    match (made, all.iter().position(|&code| code != 0)) {
        (Err(failure), Some(first)) if first == ranks.rank() => Err(match failure {
            Failure::Usage(message) if first > 0 => Failure::usage(of_rank(first, &message)),
            Failure::Run(message) if first > 0 => Failure::run(of_rank(first, &message)),
            failure => failure,
        }),
        (_, Some(first)) => Err(Failure::Elsewhere((all[first] - 1) as u8)),
        (made, None) => made,
    }
}

fn of_rank(rank: usize, message: &str) -> String {
    format!("rank {rank}: {message}")
}

/// The rollout of rank 0 on every rank, whether or not they see the same files.
#[must_use]
pub fn broadcast_rollout(ranks: &impl Communicator, rollout: Option<&Rollout>) -> Rollout {
    let text = rollout.map_or_else(String::new, Rollout::to_json);
    let mut length = [text.len() as u64];
    ranks.broadcast(&mut length);
    let [length] = length.map(|length| length as usize);
    let mut bytes = text.into_bytes();
    bytes.resize(length.next_multiple_of(8), b' ');
    let (words, _) = bytes.as_chunks();
    let mut words: Vec<u64> = words.iter().copied().map(u64::from_le_bytes).collect();
    ranks.broadcast(&mut words);
    let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
    let text = str::from_utf8(&bytes[..length]).expect("rank 0 sent text");
    Rollout::from_json(text).expect("rank 0 sent a rollout")
}

/// The trees that this rank grows: a share for each.
#[must_use]
pub fn share_of_trees(ranks: &impl Communicator) -> Shard {
    let (rank, count) = (ranks.rank() as u64, ranks.count() as u64);
    Shard::new(rank + 1, count).expect("ranks are below their number")
}

/// The merged result of all ranks, on rank 0. Its time is the slowest rank's.
#[must_use]
pub fn merge_searches(ranks: &impl Communicator, found: &SearchResult) -> Option<SearchResult> {
    let text = found.to_json();
    let words = |length: u64| length.div_ceil(8) as usize;
    let lengths = gather(ranks, text.len() as u64);
    // Each rank has its text in its own section, and zeros elsewhere: the sum over ranks joins the texts.
    let ends = lengths.iter().scan(0, |end, &length| {
        *end += words(length);
        Some(*end)
    });
    let ends: Vec<usize> = ends.collect();
    let mut sum = vec![0; *ends.last()?];
    let own = ends[ranks.rank()] - words(text.len() as u64);
    for (word, bytes) in sum[own..].iter_mut().zip(text.as_bytes().chunks(8)) {
        let mut padded = [0; 8];
        padded[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(padded);
    }
    ranks.sum(&mut sum);
    if ranks.rank() > 0 {
        return None;
    }
    let parts = lengths.iter().zip(&ends).map(|(&length, &end)| {
        let words = &sum[end - words(length)..end];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let text = str::from_utf8(&bytes[..length as usize]).expect("ranks send text");
        SearchResult::from_json(text).expect("ranks send searches")
    });
    let parts: Vec<SearchResult> = parts.collect();
    let whole = SearchResult::sum(&parts).expect("ranks have the shares of one search");
    let longest = parts.iter().map(SearchResult::elapsed).max()?;
    Some(whole.taking(longest))
}

/// The share of the CPUs for this rank, divided with the ranks of its node that may use the same CPUs.
#[must_use]
pub fn share_of_cpus(ranks: &impl Communicator, node: &str, allowed: &Cpus) -> Cpus {
    let mut hasher = DefaultHasher::new();
    (node, allowed.list()).hash(&mut hasher);
    let own = hasher.finish();
    let all = gather(ranks, own);
    let same = |homes: &[u64]| homes.iter().filter(|&&home| home == own).count();
    allowed.share(same(&all[..ranks.rank()]), same(&all))
}
