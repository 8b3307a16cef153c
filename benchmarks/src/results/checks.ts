/** A bound of a benchmark, and whether it was met. */
export interface Check {
  readonly name: string;
  readonly isMet: boolean;
}

/** Prints each check. True if all are met. */
export function reportChecks(checks: readonly Check[]): boolean {
  for (const { name, isMet } of checks) console.log(`${isMet ? "met   " : "MISSED"} ${name}`);
  return checks.every(({ isMet }) => isMet);
}
