//! A run needs no more memory for many vectors than for few. (A program of its own: it looks at the whole process.)

use binade_golden::Model;
use binade_sim::{Choice, Plan, compare};
use binade_spec::{Column, ColumnMut, Selection, Unit};

/// Memory of this process that is in use, in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells of processes");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line of the memory in use");
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number of KiB")
}

#[test]
fn memory_does_not_grow_with_the_vectors() {
    let operation = Selection::new(Unit::Encode, "binary16".parse().unwrap()).operation().unwrap();
    let check = |vectors| {
        // The unit is the golden model: what is measured is what is around it.
        let model = Model::new(&operation);
        let instance = || |inputs: &[Column], outputs: &mut [ColumnMut]| model.evaluate_columns(inputs, outputs);
        let plan = Plan::new(&operation, Choice::Sample(vectors), 1).unwrap();
        assert_eq!(compare(&operation, &plan, instance, &|_| {}).unwrap(), None);
        resident()
    };
    // The first run also fills the pools of the allocator.
    check(1 << 21);
    let few = check(1 << 21);
    let many = check(1 << 25);
    // One byte for each of the vectors would be 32 MiB.
    assert!(many < few + 4096, "{few} KiB after 2^21 vectors, {many} KiB after 2^25");
}
