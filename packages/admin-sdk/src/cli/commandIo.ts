import type { Clock, Fetch } from "@social-connect/sdk-core";

/** Everything that the command reads and writes, so that tests can replace it. */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
  /** Reads a file as text; `-` is the standard input. */
  readonly readFile: (path: string) => Promise<string>;
  /** Writes a file, which it creates with mode 600. Fails with ELOOP at a symbolic link. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
  /** Prompts the user at the terminal; undefined without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Aborted on an interrupt. */
  readonly signal: AbortSignal;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
}
