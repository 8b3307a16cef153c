import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** Why lines could not be written. */
export const DROP_REASONS = ["disk_full", "closed", "slow_reader", "failed"] as const;
export type DropReason = (typeof DROP_REASONS)[number];

/** Characters that may wait for a slow reader: about a thousand lines. */
const MOST_WAITING = 262_144;
/** Delay before another attempt at an output that failed. Lines in between are only counted. */
const RETRY_MS = 1_000;
/** How long a process that ends waits until a slow reader has taken the last lines. */
const END_MS = 1_000;

const REASONS: Readonly<Record<string, DropReason>> = {
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
  EFBIG: "disk_full",
  EPIPE: "closed",
  ECONNRESET: "closed",
  EBADF: "closed",
};

const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;
export type OutputName = keyof typeof DESCRIPTORS;

/**
 * Standard output or standard error of a process that continues when it cannot write there, because the disk is full, or
 * the reader has ended or does not read. It drops such lines and counts them, and reports them once it can write again. A
 * line to a file is written before the next statement; to a pipe too, while its reader keeps up.
 */
export class LineOutput {
  readonly #name: OutputName;
  readonly #isFile: boolean;
  readonly #counts = new Map<DropReason, number>();
  /** Lines that no report has counted yet; null while lines are written. */
  #dropped: { readonly reason: DropReason; lines: number } | null = null;
  #isCut = false;
  /** The process, in a report. */
  role: string | null = null;

  constructor(name: OutputName) {
    this.#name = name;
    this.#isFile = isFile(DESCRIPTORS[name]);
    // Also for what others write there: without a listener an error ends the process.
    process[name].on("error", () => undefined);
  }

  /** Dropped lines since the start of the process, by reason. */
  counts(): ReadonlyMap<DropReason, number> {
    return this.#counts;
  }

  write(line: string): void {
    if (this.#dropped !== null) this.#drop(this.#dropped.reason);
    else if (process[this.#name].writableLength > MOST_WAITING) this.#drop("slow_reader");
    else this.#put(line, (error) => error && this.#drop(reasonOf(error)));
  }

  /** Waits for the last lines, unless a reader does not take them. */
  async end(): Promise<void> {
    if (this.#isFile) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, END_MS).unref();
      process[this.#name].write("", () => resolve());
    });
  }

  #put(text: string, onEnd: (error: Error | null | undefined) => void): void {
    if (!this.#isFile) {
      process[this.#name].write(text, onEnd);
      return;
    }
    // Node's stream of a file omits the rest of a line of which only the first part had room.
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0) {
        rest = rest.subarray(writeSync(DESCRIPTORS[this.#name], rest));
        this.#isCut = rest.length > 0;
      }
    } catch (error) {
      onEnd(error as Error);
      return;
    }
    onEnd(null);
  }

  #drop(reason: DropReason): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
    if (this.#dropped === null) this.#await({ reason, lines: 1 });
    else this.#dropped.lines += 1;
  }

  #await(dropped: { readonly reason: DropReason; readonly lines: number }): void {
    this.#dropped = { ...dropped };
    setTimeout(() => this.#report(), RETRY_MS).unref();
  }

  /** Tries whether lines can be written again, with the line that reports the dropped ones. */
  #report(): void {
    const dropped = this.#dropped;
    if (dropped === null) return;
    const { reason, lines } = dropped;
    if (process[this.#name].writableLength > 0) {
      this.#await(dropped);
      return;
    }
    this.#put(`${this.#isCut ? "\n" : ""}${this.#reportOf(reason, lines)}\n`, (error) => {
      this.#dropped = null;
      // Others were dropped while this one was in transit.
      const left = error ? dropped.lines : dropped.lines - lines;
      if (left > 0) this.#await({ reason, lines: left });
    });
  }

  #reportOf(reason: DropReason, dropped: number): string {
    const report = { output: this.#name, dropped, reason, msg: "dropped log lines that could not be written" };
    return JSON.stringify({ level: "warn", time: new Date().toISOString(), role: this.role, ...report });
  }
}

const outputs = new Map<OutputName, LineOutput>();

/** The output of this process. Only a service asks for it: a command ends when its reader does. */
export function lineOutput(name: OutputName): LineOutput {
  const output = outputs.get(name) ?? new LineOutput(name);
  outputs.set(name, output);
  return output;
}

/** The outputs of a service; none in a command. */
export function serviceOutputs(): readonly LineOutput[] {
  return [...outputs.values()];
}

export function reasonOf(error: unknown): DropReason {
  return REASONS[(error as NodeJS.ErrnoException).code ?? ""] ?? "failed";
}

/** A device like `/dev/null` is written as a file is. */
function isFile(descriptor: number): boolean {
  try {
    const state = fstatSync(descriptor);
    return state.isFile() || (state.isCharacterDevice() && !isatty(descriptor));
  } catch {
    return false;
  }
}
