export interface Measured {
  readonly name: string;
  /** In milliseconds, one for each round. */
  readonly took: readonly number[];
}

export function medianOf({ took }: Measured): number {
  return took.toSorted((left, right) => left - right)[Math.floor(took.length / 2)] ?? 0;
}

/** One line: the middle, the 95th percentile and the longest, in milliseconds. */
export function describe({ name, took }: Measured): string {
  const sorted = took.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const text = (ms: number) => ms.toFixed(0).padStart(5);
  return `${name.padEnd(44)} median ${text(at(0.5))}  p95 ${text(at(0.95))}  longest ${text(at(1))} ms`;
}
