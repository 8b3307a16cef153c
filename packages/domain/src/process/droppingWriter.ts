/** Standard output or standard error. */
interface OutputStream {
  readonly writableLength: number;
  on(event: "error", listener: () => void): unknown;
  write(text: string, onEnd: (error?: Error | null) => void): unknown;
}

/** Characters that may wait for a slow reader. */
const MOST_WAITING = 262_144;

/**
 * Writes lines for a program that continues when it cannot write: on a full disk, without a reader, or with a reader that does
 * not read. It drops such lines, and says how many with the next line.
 */
export function droppingWriter(stream: OutputStream): (line: string) => void {
  let dropped = 0;
  stream.on("error", () => undefined);
  return (line) => {
    if (stream.writableLength > MOST_WAITING) {
      dropped += 1;
      return;
    }
    const lost = dropped;
    const notice = lost === 0 ? "" : `(${lost} earlier lines could not be written.)\n`;
    stream.write(`${notice}${line}\n`, (error) => {
      dropped += error ? 1 : -lost;
    });
  };
}
