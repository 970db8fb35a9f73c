//! Runs: playouts on every core, with their CPUs, workers and scheduler.

#[doc(inline)]
pub use tavli_playouts::{
    BackgammonPlayouts, CountGames, CountGamesWithEnds, CountRows, GameCounts, GameNumbersError, GamePlayouts,
    PlayoutReport, Rows, RowsError, Run, remark_on_cube,
};
#[doc(inline)]
pub use tavli_run::{
    Cancel, CoreKind, Cpu, CpuList, CpuListError, Cpus, FillOrder, L3, Limit, Node, Pinning, PinningError, Place,
    Placement, PlacementError, Progress, RunStats, Scheduler, SecondsError, Throttled, Topology, WorkerStats, Workers,
    WorkersError, cycles_per_second, operations_per_second, seconds, thread_cpu_time,
};
