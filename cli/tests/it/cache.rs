//! The cache is limited, and several processes may share it.

use crate::common::{binade_in, folder, fresh_home, names, outcome};
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

fn run(folder: &Path, home: &Path, megabytes: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut command = binade_in(folder);
    let output = command.env("BINADE_HOME", home).env("BINADE_CACHE_MB", megabytes).args(arguments).output().unwrap();
    outcome(&output)
}

#[test]
fn a_limit_that_is_no_number_is_refused() {
    let folder = folder();
    let (code, _, stderr) = run(folder.path(), folder.path(), "2G", &["doctor", "--clean"]);
    assert_eq!(code, 2);
    assert_eq!(stderr, "error: BINADE_CACHE_MB is `2G`; a whole number of MB is expected, such as 2048\n");
    let (code, _, stderr) = run(folder.path(), folder.path(), "", &["doctor", "--clean"]);
    assert_eq!(code, 0);
    assert!(
        stderr.contains("0 files removed from the cache, 0.0 MB\nthe cache has 0.0 MB in 0 files, of 2048 MB"),
        "{stderr}"
    );
}

/// Several processes compile into one cache with limit 0 while others clean it: all verdicts are right, and old entries are removed
/// afterwards.
#[test]
#[ignore = "long"]
fn processes_share_a_cache_that_is_too_small() {
    let folder = folder();
    let home = fresh_home(folder.path());
    let models = home.join("cache/models");
    std::thread::scope(|scope| {
        let verify = |unit: &'static str| {
            let (folder, home) = (folder.path(), &home);
            scope.spawn(move || run(folder, home, "0", &["verify", "--format", "e2m1f", "--unit", unit]))
        };
        let runs = ["mul", "mul", "add", "compare"].map(verify);
        let cleaning = [0, 1].map(|_| scope.spawn(|| run(folder.path(), &home, "0", &["doctor", "--clean"])));
        for thread in runs.into_iter().chain(cleaning) {
            let (code, _, stderr) = thread.join().unwrap();
            assert_eq!(code, 0, "{stderr}");
        }
    });
    assert_eq!(names(&models).len(), 3, "what is in use stays: {:?}", names(&models));
    let long_ago = SystemTime::now() - Duration::from_secs(7200);
    for name in names(&models) {
        File::open(models.join(name)).unwrap().set_modified(long_ago).unwrap();
    }
    let (code, _, stderr) = run(folder.path(), &home, "0", &["doctor", "--clean"]);
    assert!(code == 0 && stderr.contains("3 files removed from the cache"), "{stderr}");
    assert!(names(&models).is_empty());
    assert_eq!(run(folder.path(), &home, "0", &["verify", "--format", "e2m1f", "--unit", "mul"]).0, 0, "made again");
}
