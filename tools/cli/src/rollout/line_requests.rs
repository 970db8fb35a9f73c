//! The requests for the lines of a file of positions.

use tavli::rollout::RolloutRequest;

/// The requests for the lines of a file.
pub(super) struct LineRequests {
    /// For a line with a roll.
    pub(super) of_roll: RolloutRequest,
    /// For a line without a roll, which has no plays to decide about or to filter; or why it is not rolled out.
    pub(super) of_position: Result<RolloutRequest, String>,
}

impl LineRequests {
    /// The request for each kind of line, or for the one that can be asked for.
    pub(super) fn each(&self) -> impl Iterator<Item = &RolloutRequest> {
        [Some(&self.of_roll), self.of_position.as_ref().ok()].into_iter().flatten()
    }
}
