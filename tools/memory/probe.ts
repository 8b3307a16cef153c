/**
 * Loaded into the server's process before its program: reports over the channel to its parent, whenever that asks, how much
 * memory the process has and how many documents it has parsed.
 */
import { subscribe } from "node:diagnostics_channel";

export interface ProbeReport {
  readonly residentBytes: number;
  /** After a garbage collection. */
  readonly heapBytes: number;
  /** Documents parsed and validated since the start. */
  readonly preparedDocuments: number;
}

let preparedDocuments = 0;
subscribe("social-connect:document-prepared", () => {
  preparedDocuments += 1;
});

process.on("message", (message) => {
  if (message !== "report") return;
  const residentBytes = process.memoryUsage.rss();
  globalThis.gc?.();
  const heapBytes = process.memoryUsage().heapUsed;
  process.send?.({ residentBytes, heapBytes, preparedDocuments } satisfies ProbeReport);
});
// The channel must not keep the process when the server has stopped.
process.channel?.unref();
