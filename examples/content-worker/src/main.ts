/**
 * Keeps the content of all connections of some users fresh:
 *
 *     content-worker            works until SIGTERM or Ctrl-C
 *     content-worker --once     does what is due and ends
 */
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SocialConnect, SocialConnectError } from "@social-connect/sdk";
import type { Dependencies } from "./context.ts";
import { readSettings, SettingsError } from "./settings.ts";
import { Store } from "./store.ts";
import { work, workOnce } from "./worker.ts";

/** Composition root: the only place that reads the environment, the time and the network. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { once: { type: "boolean", default: false } } });
  const { client, file, subjects, policy } = readSettings(process.env);
  const log = (line: string) => console.log(line);
  // #region stop-signal
  const stopped = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) process.once(name, () => stopped.abort());
  // #endregion stop-signal
  const store = new Store(file);
  try {
    for (const subject of subjects) store.addSubject(subject);
    const social = new SocialConnect(client);
    const clock = {
      now: () => Date.now(),
      sleep: (durationMs: number, signal?: AbortSignal) => setTimeout(durationMs, undefined, { signal }),
    };
    const dependencies: Dependencies = { social, store, clock, random: Math.random, log, policy };
    await (values.once ? workOnce(dependencies, stopped.signal) : work(dependencies, stopped.signal));
  } finally {
    store.close();
  }
}

main().catch((error: unknown) => {
  // Errors of the SDK are made to be logged; of a wrong setting, its message says all.
  const isPlain = SocialConnectError.is(error) || error instanceof SettingsError;
  console.error(`The content worker cannot run: ${isPlain ? (error as Error).message : (error as Error).stack}`);
  process.exitCode = 1;
});
