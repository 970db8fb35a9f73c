//! Records of rollouts: any text is read or refused, and a rollout that is read is written as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tavli::file::record::EnvelopeError;
use tavli::rollout::{Rollout, RolloutRecordError};

fuzz_target!(|text: &str| {
    // A wrong checksum would keep the fuzzer from all later checks, so it is made right.
    let rollout = match Rollout::from_json(text) {
        Err(RolloutRecordError::Envelope(EnvelopeError::Checksum { found, contents })) if !found.is_empty() => {
            Rollout::from_json(&text.replacen(&found, &contents, 1))
        }
        result => result,
    };
    match rollout {
        Ok(rollout) => {
            let written = rollout.to_json();
            let again = Rollout::from_json(&written).expect("it was written here");
            assert_eq!(again.to_json(), written);
            let _ = rollout.summary();
            let _ = Rollout::merge(&[rollout.clone(), again]);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
