//! Handwritten digits: the order of the ways, what is counted, what is refused.

use binade_spec::Format;
use binade_study::digits::{Setting, Study, Tensor, Trained, Way, page, study};
use binade_study::{Accumulation, StudyError};

fn setting(formats: &[&str], epochs: usize) -> Setting {
    let formats = formats.iter().map(|name| name.parse().expect("a format")).collect();
    Setting { seeds: 1, epochs, ..Setting::new(formats) }
}

fn done(setting: &Setting) -> Study {
    study(setting, &|| true).unwrap_or_else(|error| panic!("{error}"))
}

/// A format with few exponent bits: most is lost without a scaled loss.
#[test]
fn a_scaled_loss_keeps_gradients() {
    let setting = setting(&["e5m2"], 1);
    let study_of_e5m2 = done(&setting);
    let ways = setting.ways();
    assert_eq!(study_of_e5m2.trainings.len(), ways.len());
    let [plain, scaled] = [1.0, 1024.0].map(|loss_scale| {
        let accumulation = Accumulation::Fmacs;
        study_of_e5m2.summary(Way { format: setting.formats[0], accumulation, loss_scale })
    });
    assert!(plain.flushed[0].middle > 2.0 * scaled.flushed[0].middle, "{plain:?}, {scaled:?}");
    assert!(scaled.accuracy.middle > 0.5, "{scaled:?}");

    let page = page(&study_of_e5m2, "binade study digits");
    assert_eq!(page.sections[0].tables[0].rows.len(), ways.len());
    assert_eq!(page.sections[0].figures[0].table.rows.len(), ways.len() - 1);
}

#[test]
#[ignore = "long"]
fn nightly_a_study_is_reproduced() {
    let shares = || {
        let trainings = done(&setting(&["e4m3"], 1)).trainings;
        let shares = |tensor: &Tensor| (tensor.below_full_precision.clone(), tensor.flushed.clone());
        let of_training =
            |trained: &Trained| (trained.accuracy, trained.tensors.iter().map(shares).collect::<Vec<_>>());
        trainings.iter().map(of_training).collect::<Vec<_>>()
    };
    assert_eq!(shares(), shares());
}

/// Tables II and III: a bit more of exponent, or a scaled loss, and there are fewer subnormals; accuracy does not tell the formats apart.
#[test]
#[ignore = "long"]
fn nightly_the_order_is_that_of_the_paper() {
    let study = done(&setting(&["binary16", "e6m9"], 4));
    for accumulation in [Accumulation::Fmac8, Accumulation::Fmacs] {
        let summary = |format: &str, loss_scale| {
            let format: Format = format.parse().expect("a format");
            study.summary(Way { format, accumulation, loss_scale })
        };
        let below = |format, scale| summary(format, scale).below_full_precision[0].middle;
        assert!(below("binary16", 1.0) > 2.0 * below("binary16", 1024.0), "{accumulation}");
        assert!(below("binary16", 1.0) > 2.0 * below("e6m9", 1.0), "{accumulation}");
        assert!(below("e6m9", 1024.0) < 0.01, "{accumulation}");
        assert!(summary("e6m9", 1.0).accuracy.middle > 0.9, "{accumulation}");
    }
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let error = |setting: Setting| study(&setting, &|| true).expect_err("refused").to_string();
    assert_eq!(error(setting(&["tf32"], 1)), "tf32 has 19 bits; a study takes formats of up to 16");
    assert!(error(setting(&["e5m2", "e8m0"], 1)).starts_with("e8m0 has no negative values"));
    assert_eq!(
        error(setting(&["e4m3,bias=30"], 1)),
        "e4m3,bias=30 holds numbers up to 0.00002861023, and the pixels of this study are from 0 to 1; choose a format with a larger range"
    );
    assert_eq!(
        error(setting(&["e4m3,bias=-20"], 1)),
        "the smallest number of e4m3,bias=-20 is 262144, and the pixels of this study are from 0 to 1, which all become 0; choose a format with smaller numbers"
    );
    assert!(error(setting(&["e5m2"], 0)).contains("one epoch"));
    assert!(error(Setting { seeds: 0, ..setting(&["e5m2"], 1) }).contains("one seed"));
    assert!(error(Setting { rate: -1.0, ..setting(&["e5m2"], 1) }).contains("above 0"));
    assert!(error(setting(&["e5m2", "e4m3", "e5m2"], 1)).contains("each format of a study only once"));
    for loss_scale in [0.5, 1.0, 1000.0, f32::INFINITY, -2.0, f32::NAN] {
        assert!(error(Setting { loss_scale, ..setting(&["e5m2"], 1) }).contains("power of two"), "{loss_scale}");
    }
    assert!(matches!(study(&setting(&["e5m2"], 1), &|| false), Err(StudyError::Stopped)));
}
