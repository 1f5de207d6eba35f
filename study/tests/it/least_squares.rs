//! Least squares: the order of the ways, the bound, what is refused.

use binade_report::Page;
use binade_study::StudyError;
use binade_study::least_squares::{Setting, Study, Way, page, study};

fn setting(format: &str) -> Setting {
    Setting { seeds: 3, steps: 4000, ..Setting::new(format.parse().expect("a format")) }
}

fn done(setting: &Setting) -> Study {
    study(setting, &|| true).unwrap_or_else(|error| panic!("{error}"))
}

/// Figure 2: nearest updates stop early, nearest activations and gradients do little harm; the two remedies help.
#[test]
fn the_order_is_that_of_the_paper() {
    let study = done(&setting("bfloat16"));
    let loss = |way| study.summary(way).loss;
    assert!((0.2..0.3).contains(&loss(Way::Binary32).middle), "{}", loss(Way::Binary32));
    assert!((0.2..0.3).contains(&loss(Way::NearestCompute).middle), "{}", loss(Way::NearestCompute));
    for way in [Way::NearestUpdates, Way::Nearest] {
        for remedy in [Way::Stochastic, Way::Kahan] {
            assert!(loss(way).least > 2.0 * loss(remedy).middle, "{way} {}, {remedy} {}", loss(way), loss(remedy));
        }
    }
    assert!(study.floor().least < loss(Way::Kahan).least && study.floor().least > loss(Way::Binary32).least);
}

/// The bound is far from what happens, but holds.
#[test]
fn theorem_1_holds() {
    let study = done(&Setting { steps: 2000, ..setting("bfloat16") });
    for limits in &study.limits {
        let of_seed =
            |way| study.trainings.iter().find(move |trained| trained.way == way && trained.seed == limits.seed);
        for way in [Way::NearestUpdates, Way::Nearest] {
            let distance = of_seed(way).expect("trained").distance;
            assert!(limits.theorem > 0.0 && distance > limits.theorem, "seed {}: {distance}", limits.seed);
        }
    }
}

/// All is reproduced from the seed, on any number of cores; each way sees the same samples.
#[test]
fn a_study_is_reproduced() {
    let setting = Setting { seeds: 2, steps: 150, ..setting("e5m2b1") };
    let losses = |study: &Study| study.trainings.iter().map(|trained| trained.curve.clone()).collect::<Vec<_>>();
    let (once, again) = (done(&setting), done(&setting));
    assert_eq!(losses(&once), losses(&again));
    assert_eq!(setting.points(), once.trainings.iter().map(|trained| trained.curve.len() as u64).sum::<u64>());
    assert_eq!(once.trainings[0].curve[0], once.trainings[2].curve[0], "all begin with zero weights");
}

/// Formats of every family that updates go both ways in.
#[test]
fn formats_of_every_family_are_studied() {
    for format in ["e5m2", "e4m3fn", "e5m2b1", "k8p3se", "posit8_1", "posit16_1", "binary16", "e6m9n"] {
        let study = done(&Setting { seeds: 1, steps: 7, ..setting(format) });
        assert_eq!(study.trainings.len(), Way::ALL.len(), "{format}");
        let Page { sections, .. } = page(&study, "binade study");
        assert_eq!(sections[0].figures[0].table.rows.len(), 7, "{format}");
    }
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let error = |setting: Setting| study(&setting, &|| true).expect_err("refused").to_string();
    assert_eq!(error(setting("binary32")), "binary32 has 32 bits; a study takes formats of up to 16");
    assert_eq!(error(setting("e8m0")), "update needs negative values, and e8m0 has none");
    assert!(error(setting("dlfloat16")).starts_with("dlfloat16 does not support stochastic rounding"));
    assert!(error(Setting { seeds: 0, ..setting("e5m2") }).contains("one seed"));
    assert!(error(Setting { rate: f32::NAN, ..setting("e5m2") }).contains("above 0"));
    assert_eq!(
        error(setting("e4m3,bias=11")),
        "e4m3,bias=11 holds numbers up to 15, and the weights of this study are from 0 to 100; choose a format with a larger range"
    );
    let hasty = Setting { seeds: 1, rate: 1e6, ..setting("e5m2") };
    assert!(error(hasty).starts_with("every training in e5m2 ended with infinities or NaN"));
    assert!(matches!(study(&setting("e5m2"), &|| false), Err(StudyError::Stopped)));
}
