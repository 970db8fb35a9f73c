//! Files that are whole whatever happens while they are written.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

/// Where a rollout is saved while it is played, and how often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The file, which is replaced as a whole each time, and at the end of the session.
    pub path: PathBuf,
    /// The time between two saves: what is lost at most when the process is killed.
    pub interval: Duration,
}

/// A rollout that could not be saved.
#[derive(Debug, Error)]
#[error("cannot save the rollout as {path}: {source}", path = path.display())]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    pub source: io::Error,
}

/// Replaces a file as a whole: a reader, or one who comes after a crash, finds the old contents or the new.
/// They are written to a file beside it, named like it with `.new` behind, which then takes its place.
pub(super) fn replace(path: &Path, contents: &[u8]) -> Result<(), SaveError> {
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    name.push(".new");
    let new = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(contents)?;
        // The name must not come to stand for contents that are not on the disk yet.
        file.sync_all()?;
        drop(file);
        fs::rename(&new, path)?;
        sync_folder(path)
    };
    write().map_err(|source| SaveError {
        path: path.to_owned(),
        source,
    })
}

/// Has the name itself written to the disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Folders cannot be opened as files here; the system writes their names in its own time.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
