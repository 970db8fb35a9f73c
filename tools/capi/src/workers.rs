//! Threads that play.

use std::ffi::c_char;
use std::num::NonZeroUsize;
use std::process;
use std::sync::LazyLock;

use tavli::run::{self, Cpus, Pinning, Placement};
use tavli::{Tier, TierVariableError, tier_variable};

use crate::failure::Failure;
use crate::guard::guarded;
use crate::pointer::{self, Buffer, OutPointer};
use crate::status::Status;
use crate::text;

/// Threads that play, and the build of the kernel that they run. They wait without using a CPU until a call plays;
/// several calls may share them at once.
#[derive(Debug)]
pub struct Workers {
    pub(crate) workers: run::Workers,
    pub(crate) tier: Tier,
    /// The process that started them: a fork takes no threads along.
    process: u32,
}

impl Workers {
    fn are_here(&self) -> bool {
        self.process == process::id()
    }
}

/// The workers of a handle; a failure if another process started them.
///
/// # Safety
/// Unless it is NULL or not aligned, the pointer comes from tavli_workers_start, and nobody frees it during `'a`.
pub(crate) unsafe fn read<'a>(workers: *const Workers) -> Result<&'a Workers, Failure> {
    // SAFETY: the caller guarantees, until this returns: `workers` is not freed.
    let workers = unsafe { pointer::reference("workers", workers) }?;
    match workers.are_here() {
        true => Ok(workers),
        false => Err(Failure::new(
            Status::Workers,
            "these workers were started before the process forked, and are not in this one: start others here",
        )),
    }
}

/// The tier that the environment asked for when it was first looked at. It is read once, since C may change the
/// environment while other threads run.
fn tier_of_environment() -> Result<Tier, Failure> {
    static TIER: LazyLock<Result<Option<Tier>, TierVariableError>> = LazyLock::new(tier_variable);
    match &*TIER {
        Ok(tier) => Ok(tier.unwrap_or_else(Tier::best)),
        Err(error) => Err(Failure::new(Status::Workers, error.to_string())),
    }
}

/// Starts threads, 1 to 4096. With 0 there is one for each place that the pinning names, within the grant of control
/// groups.
///
/// The pinning says which CPUs they are bound to, in the words of the command's option --pin: "none", "cores",
/// "numa:spread:no-smt", a list such as "0,2-5" and others. NULL is "auto", the default of the command: "cores" if
/// every core gets a thread and no CPU gets two, and otherwise "none", so that several programs share the machine.
///
/// The tier is the build of the kernel, "avx512", "x86-64-v4", "avx2", "neon", "simd128" or "portable"; it changes the
/// speed, never the results. NULL is the one that the environment variable TAVLI_ISA names, or else the fastest that
/// this CPU has. A tier that the CPU lacks is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_workers_start(
    threads: u32,
    pinning: *const c_char,
    tier: *const c_char,
    workers: *mut *mut Workers,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `pinning` and `tier` are NULL or unchanged texts that end
        // with a zero; at `workers` is room for one handle.
        let (place, pinning, tier) = unsafe {
            (OutPointer::new("workers", workers)?, text::optional("pinning", pinning)?, text::optional("tier", tier)?)
        };
        let tier = tier.map_or_else(tier_of_environment, |name| Ok(name.parse()?))?;
        let pinning = pinning.map_or(Ok(Pinning::default()), str::parse)?;
        let threads = NonZeroUsize::new(threads as usize);
        let placement = Placement::new(&Cpus::allowed(), pinning, threads)?;
        let workers = run::Workers::start(&placement)?;
        let process = process::id();
        place.store_handle(Workers { workers, tier, process });
        Ok(())
    })
}

/// Stores the number of threads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_workers_count(workers: *const Workers, count: *mut usize) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `workers` comes from tavli_workers_start and is not freed;
        // at `count` is room for one number.
        let (count, workers) = unsafe { (OutPointer::new("count", count)?, read(workers)?) };
        count.store(workers.workers.count());
        Ok(())
    })
}

/// Writes the name of the tier that the threads run. Buffer and size are as in tavli_position_write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_workers_tier(
    workers: *const Workers,
    buffer: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guarded(|| {
        // SAFETY: the caller guarantees, until this returns: `workers` comes from tavli_workers_start and is not freed;
        // at `buffer` is room for `capacity` bytes, and at `size`, unless it is NULL, for one number.
        let (workers, buffer) = unsafe { (read(workers)?, Buffer::new(buffer, capacity, "size", size)?) };
        text::write(workers.tier.name(), buffer)
    })
}

/// Ends the threads and frees the handle; NULL is allowed. A process that was forked after their start lacks these
/// threads: there the handle is left as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tavli_workers_free(workers: *mut Workers) {
    guarded(|| {
        // SAFETY: the caller guarantees: `workers` is NULL or of tavli_workers_start, freed once, and no call is using
        // it.
        unsafe {
            // Ending threads waits for them, and threads of another process never end here.
            if workers.is_null() || (*workers).are_here() {
                pointer::take_back(workers);
            }
        }
        Ok(())
    });
}

const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Workers>();
};
