/**
 * A lock for cases that send dozens of concurrent requests: each tests how the service counts, and together they would
 * only test the machine's capacity.
 */
export const BURST = "dozens of concurrent requests";
