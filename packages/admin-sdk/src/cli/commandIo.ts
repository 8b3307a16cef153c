import type { Clock, Fetch } from "@social-connect/sdk-core";

/** All that the command has of the world around it, so that a test can be that world. */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Reads a file as text; `-` is the standard input. */
  readonly readFile: (path: string) => Promise<string>;
  /** Writes a file that its owner alone may read. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Asks the person in front of the terminal; undefined where there is none. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}
