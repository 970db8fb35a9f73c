//! The right to write a file, which one process has at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

/// A file beside the one that is written, which the system keeps locked until this is dropped or the process ends,
/// however it ends. The written file itself is replaced by another one, so a lock on it would not last.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    /// Closing it ends the lock.
    _held: Handle,
}

impl Lock {
    /// Takes the lock; `None` if another has it. Where the file system knows no locks it is given to all.
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
            // Who had it before may have removed it since it was opened here; then it keeps nobody away.
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
        // A file that stays is taken again by the next one.
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
