import { LRUCache } from "lru-cache";

export interface CacheLimits {
  /** Maximum size of one owner's documents. */
  readonly ownerBytes: number;
  readonly ownerEntries: number;
  /** Maximum size of all documents. */
  readonly totalBytes: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** How many owners have it in their share. */
  owners: number;
}

type Share<Value> = LRUCache<string, Entry<Value>>;

/** The size of an empty share: its tables. */
const SHARE_BYTES = 16_384;

/**
 * Values by document source, in a bounded share for each owner: an owner's new entries evict its own least recently
 * used entries, never another owner's. When all shares together exceed the limit, the largest is shrunk. A source that
 * several owners use is stored once and counts in each share, so that no owner loses it because of another.
 */
export class DocumentCache<Value> {
  readonly #limits: CacheLimits;
  /** Least recently used first. */
  readonly #shares = new Map<string, Share<Value>>();
  readonly #entries = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(limits: CacheLimits) {
    this.#limits = limits;
  }

  /** Estimated memory of everything in the cache. */
  get bytes(): number {
    return this.#bytes;
  }

  get(owner: string, text: string): Value | undefined {
    const share = this.#shares.get(owner);
    if (share === undefined) return undefined;
    this.#shares.delete(owner);
    this.#shares.set(owner, share);
    return share.get(text)?.value;
  }

  /** Returns the value to use: another owner's value for the same source, if there is one. */
  set(owner: string, text: string, value: Value, bytes: number): Value {
    const known = this.get(owner, text);
    if (known !== undefined) return known;
    if (bytes > this.#limits.ownerBytes) return value;
    const entry = this.#entryOf(text, value, bytes);
    entry.owners += 1;
    this.#shareOf(owner).set(text, entry);
    while (this.#bytes > this.#limits.totalBytes) this.#shrinkLargestShare();
    return entry.value;
  }

  #entryOf(text: string, value: Value, bytes: number): Entry<Value> {
    const existing = this.#entries.get(text);
    if (existing !== undefined) return existing;
    const entry = { value, bytes, owners: 0 };
    this.#entries.set(text, entry);
    this.#bytes += bytes;
    return entry;
  }

  #shareOf(owner: string): Share<Value> {
    const existing = this.#shares.get(owner);
    if (existing !== undefined) return existing;
    const share: Share<Value> = new LRUCache({
      max: this.#limits.ownerEntries,
      maxSize: this.#limits.ownerBytes,
      sizeCalculation: (entry) => entry.bytes,
      dispose: (entry, text) => this.#release(entry, text),
    });
    this.#shares.set(owner, share);
    this.#bytes += SHARE_BYTES;
    return share;
  }

  #release(entry: Entry<Value>, text: string): void {
    entry.owners -= 1;
    if (entry.owners > 0) return;
    this.#entries.delete(text);
    this.#bytes -= entry.bytes;
  }

  /** Of shares of the same size, the least recently used is shrunk. */
  #shrinkLargestShare(): void {
    let largest: readonly [string, Share<Value>] | undefined;
    for (const candidate of this.#shares) {
      if (largest === undefined || candidate[1].calculatedSize > largest[1].calculatedSize) largest = candidate;
    }
    if (largest === undefined) return;
    const [owner, share] = largest;
    share.pop();
    if (share.size > 0) return;
    this.#shares.delete(owner);
    this.#bytes -= SHARE_BYTES;
  }
}
