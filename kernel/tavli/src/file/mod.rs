//! Files that are written whole, by one process at a time.
//!
//! A [`Target`] is opened before the work whose result it is to hold: a file that fails to open is refused at once, and a
//! second process that names the same file is refused until the first has ended. Its contents are then replaced as a
//! whole as often as wanted: who reads the file finds the old contents or the new, whatever happens meanwhile. A file
//! that another program has put there meanwhile is not replaced.
//!
//! ```
//! use tavli::file::{Existing, Target};
//! let path = std::env::temp_dir().join(format!("tavli-example-{}", std::process::id()));
//! let target = Target::open(&path, Existing::Refuse)?;
//! // The work is done here.
//! target.replace(b"the result\n")?;
//! assert_eq!(std::fs::read(&path).expect("it was written"), b"the result\n");
//! # std::fs::remove_file(&path).expect("it was written");
//! # Ok::<(), tavli::file::FileError>(())
//! ```

mod lock;
mod target;

pub use target::{Existing, Target};

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file is not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It exists, and is not to be replaced.
    #[error("{path} exists", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another process writes it.
    #[error("{path} is in use: another process writes it; wait until it ends, or name another file", path = path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It is a folder, a device or a pipe.
    #[error("{path} is not a regular file; name a file", path = path.display())]
    NotRegular {
        /// What was named.
        path: PathBuf,
    },
    /// It is not there any more.
    #[error("{path} was deleted or moved while it was written", path = path.display())]
    Deleted {
        /// The file.
        path: PathBuf,
    },
    /// Another file is there now, which is not to be replaced.
    #[error("{path} is another file now: another program has put it there; move it away, or name another file", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The system refuses to write it.
    #[error("cannot write {path}: {source}", path = path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

impl FileError {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            FileError::Exists { path }
            | FileError::InUse { path }
            | FileError::NotRegular { path }
            | FileError::Deleted { path }
            | FileError::Foreign { path }
            | FileError::Refused { path, .. } => path,
        }
    }

    /// What kind of error the system would call it.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            FileError::Exists { .. } | FileError::Foreign { .. } => io::ErrorKind::AlreadyExists,
            FileError::InUse { .. } => io::ErrorKind::ResourceBusy,
            FileError::NotRegular { .. } => io::ErrorKind::InvalidInput,
            FileError::Deleted { .. } => io::ErrorKind::NotFound,
            FileError::Refused { source, .. } => source.kind(),
        }
    }
}
