//! A lock that lets one process at a time write a file.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use same_file::Handle;

/// A file next to the one that is written. The system keeps it locked until this is dropped or the process ends,
/// however it ends. The written file itself is replaced, so a lock on it would not last.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closing it ends the lock.
    _held: Handle,
}

/// The holder of a lock that is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Holder {
    ThisProcess,
    AnotherProcess,
}

/// The files of the locks that this process holds.
// The system does not say whose a lock is.
static HELD: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn held_here() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lock {
    /// Takes the lock, or returns its holder. On a file system without locks every process gets it.
    pub(super) fn take(path: &Path) -> io::Result<Result<Lock, Holder>> {
        let path = &absolute(path)?;
        // Held until the lock is taken, so that no other thread takes it meanwhile.
        let mut held_here = held_here();
        if held_here.contains(path) {
            return Ok(Err(Holder::ThisProcess));
        }
        loop {
            let file = open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(Err(Holder::AnotherProcess)),
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            let held = Handle::from_file(file)?;
            // The previous holder may have removed the file after it was opened here; it then locks nothing.
            if Handle::from_path(path).is_ok_and(|there| there == held) {
                held_here.insert(path.clone());
                return Ok(Ok(Lock { path: path.clone(), _held: held }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked: afterwards it may be the lock of another process.
        // A file that stays is reused by the next holder.
        let _ = fs::remove_file(&self.path);
        held_here().remove(&self.path);
    }
}

/// The path from the root of the file system, without links in its folder.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // One path for all names of a file, since the set compares paths.
    let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")))?;
    Ok(folder.join(path.file_name().unwrap_or_default()))
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}
