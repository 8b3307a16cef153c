/** Components to shut down, in the reverse order of their start. */
export class Shutdown {
  readonly #entries: (() => Promise<void>)[] = [];

  add(ending: () => Promise<void>): void {
    this.#entries.push(ending);
  }

  /** Shuts down each component once; a failing one does not prevent the others. */
  async run(onFailure: (error: unknown) => void): Promise<void> {
    for (let ending = this.#entries.pop(); ending !== undefined; ending = this.#entries.pop()) {
      await ending().catch(onFailure);
    }
  }
}
