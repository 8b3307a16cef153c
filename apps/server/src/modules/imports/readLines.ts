import { MOST_LINE_BYTES } from "@social-connect/domain";

/** A line of a file, without its line feed. `bytes` is null for a line that is too long. */
export interface FileLine {
  readonly number: number;
  readonly bytes: Uint8Array | null;
  /** Bytes of the file up to its end. */
  readonly endsAt: number;
}

const LINE_FEED = 0x0a;

/** Splits bytes into lines. Never holds more than one chunk and one line of 64 KiB: the rest of a longer one is dropped. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine, void, undefined> {
  let number = 0;
  let position = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const take = (): FileLine => {
    number += 1;
    const bytes = length > MOST_LINE_BYTES ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return { number, bytes, endsAt: position };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LINE_FEED, start);
      const part = chunk.subarray(start, end === -1 ? undefined : end);
      length += part.length;
      // Copied, because a part would keep its whole chunk in memory.
      if (length > MOST_LINE_BYTES) parts = [];
      else if (part.length > 0) parts.push(Uint8Array.from(part));
      if (end === -1) break;
      start = end + 1;
      position += part.length + 1;
      yield take();
    }
    position += chunk.length - start;
  }
  if (length > 0) yield take();
}
