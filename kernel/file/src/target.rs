//! A file to write.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::FileError;
use super::lock::{Holder, Lock};

/// The most symbolic links followed in a row; more count as a loop.
// As many as Linux follows.
const MAX_LINKS: usize = 40;

/// What to do with a file that exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// Refuse it.
    Refuse,
    /// Replace it, or continue it.
    Replace,
}

/// A file to write, which no other process can write while this or a clone of it lives.
///
/// Symbolic links are followed: their target is replaced, and the links stay. The permissions stay, and the owner where
/// the system permits it.
#[derive(Clone, Debug)]
pub struct Target {
    /// The path as given.
    path: PathBuf,
    /// The path after all links.
    file: PathBuf,
    /// One thread at a time writes.
    state: Arc<Mutex<State>>,
}

/// The state that clones of a target share.
#[derive(Debug)]
struct State {
    /// The file as last found or written, if there was one. While it is open, no other file gets its inode number.
    known: Option<File>,
    _lock: Lock,
}

impl Target {
    /// Checks that a file can be written, and keeps other processes from writing it.
    ///
    /// # Errors
    /// [`FileError`] if the file exists and must be refused, is not a regular file, is being written by another
    /// process or already by this one, or if it or its folder cannot be written.
    pub fn open(named: &Path, existing: Existing) -> Result<Target, FileError> {
        let refused = |source| FileError::Refused { path: named.to_owned(), source };
        let path = follow(named).map_err(refused)?;
        // By the name as given: the link /dev/stdin to a pipe leads to no path.
        if path.file_name().is_none() || found(named).map_err(refused)?.is_some_and(|it| !it.is_file()) {
            return Err(FileError::NotRegular { path: named.to_owned() });
        }
        let lock = Lock::take(&beside(&path, ".lock")).map_err(refused)?;
        let lock = lock.map_err(|holder| {
            let path = named.to_owned();
            match holder {
                Holder::ThisProcess => FileError::InUseHere { path },
                Holder::AnotherProcess => FileError::InUse { path },
            }
        })?;
        let mut known = None;
        // After taking the lock: its last holder may have just written the file.
        if found(&path).map_err(refused)?.is_some() {
            if existing == Existing::Refuse {
                return Err(FileError::Exists { path: named.to_owned() });
            }
            // To write, though it is only replaced: a file that must not be written is refused before the work.
            let file = OpenOptions::new().write(true).open(&path);
            known = Some(file.map_err(refused)?);
        }
        Ok(Target { path: named.to_owned(), file: path, state: Arc::new(Mutex::new(State { known, _lock: lock })) })
    }

    /// The path as given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a path leads to the same file, through symbolic or hard links.
    #[must_use]
    pub fn is(&self, other: &Path) -> bool {
        let state = self.state();
        let known = state.known.as_ref();
        known.is_some_and(|known| leads_to(other, known).unwrap_or(false))
    }

    /// Checks that the file is still the last one found or written.
    ///
    /// # Errors
    /// [`FileError::Deleted`] if the file does not exist, [`FileError::Foreign`] if it is another one,
    /// [`FileError::Refused`] if the system cannot check it.
    pub fn check_in_place(&self) -> Result<(), FileError> {
        match found(&self.file).map_err(|source| self.refused(source))? {
            Some(_) => self.check_not_foreign(&self.state()),
            None => Err(FileError::Deleted { path: self.path.clone() }),
        }
    }

    /// Replaces the file as a whole. The contents are on the disk when this returns. If it fails, the old contents
    /// stay.
    ///
    /// # Errors
    /// [`FileError::Foreign`] if another program has put a file there, [`FileError::Refused`] if the system fails to
    /// write the contents.
    pub fn replace(&self, contents: &[u8]) -> Result<(), FileError> {
        self.replace_with(|output| output.write_all(contents))?;
        Ok(())
    }

    /// [`Target::replace`] with the output of `write`, which need not be in memory. Returns the number of bytes.
    ///
    /// # Errors
    /// As [`Target::replace`].
    pub fn replace_with(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<u64, FileError> {
        let mut state = self.state();
        self.check_not_foreign(&state)?;
        let new = beside(&self.file, ".new");
        let replace = || {
            let file = write_new(&new, &self.file, write)?;
            let length = file.metadata()?.len();
            fs::rename(&new, &self.file)?;
            // The new file is in place even if its folder cannot be synced.
            state.known = Some(file);
            sync_folder(&self.file)?;
            Ok(length)
        };
        let replaced = replace();
        replaced.map_err(|source| {
            // Fails if the file was renamed, which is fine.
            let _ = fs::remove_file(&new);
            self.refused(source)
        })
    }

    /// Opens the file for reading and appending, and cuts it off after its first `length` bytes. Creates it if it does
    /// not exist.
    ///
    /// # Errors
    /// [`FileError::Foreign`] if another program has put a file there, [`FileError::Refused`] if the system fails to
    /// open it.
    pub fn write_on(&self, length: u64) -> Result<File, FileError> {
        let mut state = self.state();
        self.check_not_foreign(&state)?;
        let mut open = || {
            let mut options = OpenOptions::new();
            options.create(true).read(true).append(true);
            let file = options.open(&self.file)?;
            file.set_len(length)?;
            state.known = Some(file.try_clone()?);
            Ok(file)
        };
        open().map_err(|source| self.refused(source))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Refuses any file except the last one found or written; no file is fine.
    fn check_not_foreign(&self, state: &State) -> Result<(), FileError> {
        let is_known = match &state.known {
            Some(known) => leads_to(&self.file, known),
            None => found(&self.file).map(|found| found.is_none()),
        };
        match is_known {
            Ok(true) => Ok(()),
            Ok(false) => Err(FileError::Foreign { path: self.path.clone() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.refused(error)),
        }
    }

    fn refused(&self, source: io::Error) -> FileError {
        FileError::Refused { path: self.path.clone(), source }
    }
}

/// The file that symbolic links lead to; it need not exist.
fn follow(named: &Path) -> io::Result<PathBuf> {
    let mut path = named.to_owned();
    for _ in 0..MAX_LINKS {
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
            return Ok(path);
        }
        // A relative link begins in its own folder.
        path = path.with_file_name(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The metadata of a path, if it exists.
fn found(path: &Path) -> io::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a path leads to an open file. The path is not opened, which could block on a pipe.
#[cfg(unix)]
fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let number = |of: Metadata| (of.dev(), of.ino());
    Ok(number(fs::metadata(path)?) == number(file.metadata()?))
}

/// Whether a path leads to an open file.
#[cfg(not(unix))]
fn leads_to(path: &Path, file: &File) -> io::Result<bool> {
    use same_file::Handle;
    Ok(Handle::from_path(path)? == Handle::from_file(file.try_clone()?)?)
}

/// The hidden file in the same folder, with the same name and `ending` appended.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(ending);
    path.with_file_name(name)
}

/// Writes a file that will replace another, with its owner and permissions.
fn write_new(new: &Path, old: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<File> {
    // A killed process may have left it; no process writes it now.
    match fs::remove_file(new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let old = found(old)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if let Some(old) = &old {
        use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
        // The new file must not be readable for anyone who may not read the old one.
        options.mode(old.permissions().mode() & 0o700);
    }
    let file = options.open(new)?;
    if let Some(old) = old {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only the administrator can give files away.
            let _ = fchown(&file, Some(old.uid()), Some(old.gid()));
        }
        file.set_permissions(old.permissions())?;
    }
    let mut output = BufWriter::new(&file);
    write(&mut output)?;
    output.flush()?;
    drop(output);
    // The contents must be on the disk before the name points to them.
    file.sync_all()?;
    Ok(file)
}

/// Writes the folder, and so the name, to the disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

/// Folders cannot be opened as files here; the system chooses when to write the names.
#[cfg(not(unix))]
fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}
