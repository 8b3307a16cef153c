/** Applications with their own label in a process; the others share `other`. */
export const MOST_APPLICATIONS = 100;
export const OTHER = "other";

/** Bounds the number of applications that metrics name: the first that this process sees. */
export class ApplicationLabels {
  readonly #known = new Set<string>();

  /** Adds up numbers by label. */
  sums(numbers: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const [application, number] of numbers) {
      const label = this.#labelOf(application);
      sums.set(label, (sums.get(label) ?? 0) + number);
    }
    return sums;
  }

  #labelOf(application: string): string {
    if (this.#known.size < MOST_APPLICATIONS) this.#known.add(application);
    return this.#known.has(application) ? application : OTHER;
  }
}
