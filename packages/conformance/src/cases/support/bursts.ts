/**
 * A lock for cases that send dozens of concurrent requests: each tests how the service counts, and together they would
 * only test the machine's capacity.
 */
export const BURST = "dozens of concurrent requests";

export function concurrently<Result>(count: number, call: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, call));
}
