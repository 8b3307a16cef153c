import { LRUCache } from "lru-cache";

export interface CacheLimits {
  /** Most that the documents of one owner take. */
  readonly ownerBytes: number;
  readonly ownerEntries: number;
  /** Most that all of them take. */
  readonly totalBytes: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  /** Owners that have it in their share. */
  owners: number;
}

type Share<Value> = LRUCache<string, Entry<Value>>;

/** What an owner takes before the first document: the tables of its share. */
const SHARE_BYTES = 16_384;

/**
 * Values by text, in a bounded share for each owner: an owner's new entries evict its own least recently used ones, never
 * another's. When all shares together are too large, the largest gives way. A text that several owners use is stored once
 * and counts in the share of each, so that none loses it through another.
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

  /** Gives the value to use from now on: another owner's of the same text, where there is one. */
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

  /** Of shares of one size the least recently used one gives way. */
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
