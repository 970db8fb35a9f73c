//! Why a file cannot be written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It exists, and must not be replaced.
    #[error("{path} exists", path = path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another process is writing it.
    #[error("{path} is in use: another process is writing it; wait until it ends, or name another file", path = path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// This process is writing it.
    #[error("{path} is in use: this process is writing it already; wait until it ends, or name another file", path = path.display())]
    InUseHere {
        /// The file.
        path: PathBuf,
    },
    /// It is a folder, a device or a pipe, or its path is empty.
    #[error("{}", not_regular(path))]
    NotRegular {
        /// The path that was named.
        path: PathBuf,
    },
    /// It no longer exists.
    #[error("{path} was deleted or moved while in use", path = path.display())]
    Deleted {
        /// The file.
        path: PathBuf,
    },
    /// Another file has taken its place, and must not be replaced.
    #[error("another program has replaced {path}; move that file away, or name another file", path = path.display())]
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
            | FileError::InUseHere { path }
            | FileError::NotRegular { path }
            | FileError::Deleted { path }
            | FileError::Foreign { path }
            | FileError::Refused { path, .. } => path,
        }
    }

    /// The kind of system error that comes nearest.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        match self {
            FileError::Exists { .. } | FileError::Foreign { .. } => io::ErrorKind::AlreadyExists,
            FileError::InUse { .. } | FileError::InUseHere { .. } => io::ErrorKind::ResourceBusy,
            FileError::NotRegular { .. } => io::ErrorKind::InvalidInput,
            FileError::Deleted { .. } => io::ErrorKind::NotFound,
            FileError::Refused { source, .. } => source.kind(),
        }
    }
}

/// The words about an empty path.
pub(crate) const EMPTY_PATH: &str = "the path is empty: name a file";

fn not_regular(path: &Path) -> String {
    match path.as_os_str().is_empty() {
        true => EMPTY_PATH.to_owned(),
        false => format!("{} is not a regular file; name a file", path.display()),
    }
}
