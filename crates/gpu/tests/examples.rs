//! The examples run: what they assert holds.

#[path = "../examples/host.rs"]
mod host;
#[path = "../examples/mali_job.rs"]
mod mali_job;
#[path = "../examples/triangle.rs"]
mod triangle;
#[path = "../examples/walk.rs"]
mod walk;

#[test]
fn a_triangle_method_by_method() {
    triangle::main().unwrap();
}

#[test]
fn a_host_that_answers() {
    host::main().unwrap();
}

#[test]
fn a_mali_job() {
    mali_job::main().unwrap();
}

#[test]
fn a_capture_walked() {
    walk::main().unwrap();
}
