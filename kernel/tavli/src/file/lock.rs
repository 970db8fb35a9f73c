//! A lock that lets one process at a time write a file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

/// A file beside the one that is written. The system keeps it locked until this is dropped or the process ends, however
/// it ends. The written file itself is replaced, so a lock on it would not last.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closing it ends the lock.
    _held: Handle,
}

impl Lock {
    /// Takes the lock; `None` if another process holds it. On a file system without locks everybody gets it.
    pub(super) fn take(path: &Path) -> io::Result<Option<Lock>> {
        loop {
            let file = open(path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
            let held = Handle::from_file(file)?;
            // The previous holder may have removed the file after it was opened here; it then locks nothing.
            if Handle::from_path(path).is_ok_and(|there| there == held) {
                return Ok(Some(Lock {
                    path: path.to_owned(),
                    _held: held,
                }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays is reused by the next holder.
        let _ = fs::remove_file(&self.path);
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
}
