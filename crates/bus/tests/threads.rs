//! Work shared between threads.

use isotherm_bus::threads::Threads;

#[test]
fn results_keep_their_order() {
    let want: Vec<u32> = (0..1000).map(|i| i * i).collect();
    for threads in [0, 1, 2, 5] {
        let pool = Threads::new(threads);
        assert_eq!(pool.is_parallel(), threads > 1);
        assert_eq!(pool.each(0..1000, |i| i * i), want, "{threads}");
        assert!(pool.each(0..0, |i: u32| i).is_empty());
    }
}
