import { messageOf, systemCodeOf } from "@social-connect/domain";

/** Output, environment and end of a command. */
export interface CommandIo {
  /** Writes results to standard output. */
  readonly print: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves when the command is interrupted. */
  readonly untilStopped: () => Promise<void>;
}

export class UsageError extends Error {}

export function portOf(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError("--port must be an integer between 0 and 65535.");
}

export function explainListening(error: unknown, port: number, host: string): string {
  const code = systemCodeOf(error);
  if (code === "EADDRINUSE")
    return `Port ${port} of ${host} is in use. Select another with --port, or 0 for a free port.`;
  if (code === "EACCES") return `Port ${port} requires elevated privileges. Select another with --port.`;
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL") return `--host ${host} is not an address of this machine.`;
  return messageOf(error);
}
