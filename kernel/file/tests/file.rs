//! Files that are written whole, by one process at a time.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tavli_file::{Existing, FileError, Target};

/// A folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("file-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a place to write");
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: io::Result<fs::DirEntry>| entry.expect("an entry").file_name().into_string();
    let mut names: Vec<String> = entries.map(|entry| name(entry).expect("UTF-8")).collect();
    names.sort();
    names
}

#[test]
fn contents_are_replaced_and_nothing_else_is_left() {
    let folder = folder("replaced");
    let path = folder.join("a");
    let target = Target::open(&path, Existing::Refuse).expect("a place to write");
    assert!(!path.exists(), "nothing is written before there is something to write");
    for contents in ["first\n", "", "third\n"] {
        target.replace(contents.as_bytes()).expect("it is written");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), contents);
    }
    drop(target);
    assert_eq!(names(&folder), ["a"]);
    let error = Target::open(&path, Existing::Refuse).expect_err("it exists");
    assert!(matches!(error, FileError::Exists { .. }), "{error}");
    assert_eq!(names(&folder), ["a"]);
    let target = Target::open(&path, Existing::Replace).expect("a place to write");
    let mut file = target.write_on(3).expect("a place to write");
    io::Write::write_all(&mut file, b"rd").expect("it is written");
    assert_eq!(fs::read(&path).expect("it is there"), b"third");
    drop(target);
    fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn one_writes_at_a_time() {
    let folder = folder("locked");
    let path = folder.join("a");
    let first = Target::open(&path, Existing::Replace).expect("a place to write");
    let second = || Target::open(&path, Existing::Replace);
    for _ in 0..2 {
        let error = second().expect_err("it is in use");
        // The error must not send anyone looking for another process.
        assert!(matches!(error, FileError::InUseHere { .. }), "{error}");
        assert!(error.to_string().contains("this process is writing it already"), "{error}");
        first.replace(b"first").expect("it is written");
    }
    let clone = first.clone();
    drop(first);
    second().expect_err("a clone holds it");
    drop(clone);
    second().expect("nobody has it").replace(b"second").expect("it is written");
    assert_eq!(fs::read(&path).expect("it is there"), b"second");
    // Leftovers of a killed process do not lock other processes out.
    fs::write(folder.join(".a.lock"), "").expect("a place to write");
    fs::write(folder.join(".a.new"), "half").expect("a place to write");
    second().expect("nobody has it").replace(b"third").expect("it is written");
    assert_eq!(names(&folder), ["a"]);
    fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn who_waits_for_a_lock_never_shares_it() {
    let folder = folder("shared");
    let path = folder.join("a");
    let (writers, taken) = (std::sync::atomic::AtomicUsize::new(0), std::sync::atomic::AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                use std::sync::atomic::Ordering::SeqCst;
                for _ in 0..2000 {
                    if let Ok(target) = Target::open(&path, Existing::Replace) {
                        assert_eq!(writers.fetch_add(1, SeqCst), 0, "another has it too");
                        taken.fetch_add(1, SeqCst);
                        writers.fetch_sub(1, SeqCst);
                        drop(target);
                    }
                }
            });
        }
    });
    assert!(taken.into_inner() > 0, "nobody had it");
    assert!(names(&folder).is_empty());
    fs::remove_dir_all(&folder).expect("it was there");
}

#[test]
fn folders_devices_and_loops_are_refused() {
    let folder = folder("refused");
    let open = |path: &Path| Target::open(path, Existing::Replace).expect_err("no file");
    for path in [folder.clone(), folder.join(".."), PathBuf::from("/")] {
        let error = open(&path);
        assert!(matches!(error, FileError::NotRegular { .. }), "{error}");
    }
    assert_eq!(open(Path::new("")).to_string(), "the path is empty: name a file");
    let error = open(&folder.join("nowhere").join("a"));
    assert_eq!(error.kind(), io::ErrorKind::NotFound, "{error}");
    assert_eq!(error.path(), folder.join("nowhere").join("a"));
    #[cfg(unix)]
    {
        let error = open(Path::new("/dev/null"));
        assert!(matches!(error, FileError::NotRegular { .. }), "{error}");
        // The path is a link to a pipe, as /dev/stdin may be: a pipe has no name to write to.
        let (_reader, writer) = io::pipe().expect("a pipe");
        let pipe = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&writer));
        if Path::new(&pipe).exists() {
            let error = open(Path::new(&pipe));
            assert!(matches!(error, FileError::NotRegular { .. }), "{error}");
        }
        let circle = folder.join("circle");
        std::os::unix::fs::symlink("circle", &circle).expect("a place to write");
        assert!(open(&circle).to_string().contains("too many symbolic links"));
    }
    fs::remove_dir_all(&folder).expect("it was there");
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = folder("links");
    fs::create_dir(folder.join("deep")).expect("a place to write");
    let (link, file) = (folder.join("link"), folder.join("deep/file"));
    symlink("deep/second", &link).expect("a place to write");
    symlink("file", folder.join("deep/second")).expect("a place to write");
    // The file does not exist yet.
    let target = Target::open(&link, Existing::Refuse).expect("a place to write");
    assert!(Target::open(&file, Existing::Replace).is_err(), "it is the same file");
    target.replace(b"one").expect("it is written");
    assert!(target.is(&file) && target.is(&link) && !target.is(&folder.join("other")));
    fs::hard_link(&file, folder.join("hard")).expect("a place to write");
    assert!(target.is(&folder.join("hard")));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    let owner = fs::metadata(&file).map(|found| (found.uid(), found.gid())).expect("it is there");
    target.replace(b"two").expect("it is written");
    assert_eq!(fs::read(&file).expect("it is there"), b"two");
    assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
    let found = fs::metadata(&file).expect("it is there");
    assert_eq!(found.permissions().mode() & 0o7777, 0o600);
    assert_eq!((found.uid(), found.gid()), owner);
    drop(target);
    fs::remove_dir_all(&folder).expect("it was there");
}
