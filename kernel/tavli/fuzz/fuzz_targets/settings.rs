//! Rolls, first rolls, rule sets, tiers, CPU lists and shards: a value that is read is written so that it is read
//! again.
#![no_main]

use core::fmt::Display;
use core::str::FromStr;

use libfuzzer_sys::fuzz_target;
use tavli::rollout::Shard;
use tavli::run::{CpuList, Pinning};
use tavli::{FirstRoll, Roll, RuleSet, Tier};

fn comes_back<T>(text: &str)
where
    T: FromStr<Err: Display> + Display + PartialEq,
{
    match text.parse::<T>() {
        Ok(value) => assert!(value.to_string().parse().is_ok_and(|again: T| again == value)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fuzz_target!(|text: &str| {
    comes_back::<Roll>(text);
    comes_back::<FirstRoll>(text);
    comes_back::<RuleSet>(text);
    comes_back::<Tier>(text);
    comes_back::<CpuList>(text);
    comes_back::<Pinning>(text);
    comes_back::<Shard>(text);
});
