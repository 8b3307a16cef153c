/** What has to be ended again, in the reverse order of how it began. */
export class Shutdown {
  readonly #entries: (() => Promise<void>)[] = [];

  add(ending: () => Promise<void>): void {
    this.#entries.push(ending);
  }

  /** Ends everything, each thing once; one that fails keeps no other from ending. */
  async run(onFailure: (error: unknown) => void): Promise<void> {
    for (let ending = this.#entries.pop(); ending !== undefined; ending = this.#entries.pop()) {
      await ending().catch(onFailure);
    }
  }
}
