/**
 * A separate worker process with providers in memory. It sends its parent "ready", "held <call>" when a provider's call
 * is held, and "superseded" when an attempt was superseded; the message "continue" releases the held calls. WORKER_PROCESS
 * has its configuration as JSON.
 */
import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { postsOf } from "../../modules/testing/connections.ts";
import { fakeProviders } from "../../modules/testing/fakeProvider.ts";
import { serviceOn } from "../../modules/testing/serviceOn.ts";
import { openDatabase } from "../../platform/database/database.ts";
import { NO_TELEMETRY } from "../../platform/log/telemetry.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { createSecretBox } from "../../platform/secrets/secretBox.ts";
import { SystemClock } from "../../platform/time/clock.ts";
import { createTaskQueue } from "../../worker/taskQueue.ts";
import { startWorker } from "../../worker/worker.ts";

export interface WorkerProcessOptions {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly concurrency: { readonly read: number; readonly settle: number };
  /** Calls to hold, e.g. `PROVIDER_B.revoke`. */
  readonly holds: readonly string[];
  /** Prefix of the titles of all posts, to identify the writer. */
  readonly mark: string;
}

const options: WorkerProcessOptions = JSON.parse(process.env.WORKER_PROCESS ?? "{}");
const database = openDatabase({ url: options.databaseUrl, poolSize: 15 });
const { pool } = database;
const clock = new SystemClock(pool);
const released = new Promise<void>((resolve) => process.once("message", () => resolve()));
const send = (message: string) => void process.send?.(message);

const fakes = fakeProviders();
for (const provider of SOCIAL_PROVIDERS) {
  const posts = postsOf(25, await clock.now());
  fakes[provider].posts = posts.map((post) => ({ ...post, title: `${options.mark} ${post.title}` }));
}
for (const hold of options.holds) {
  const [provider, call = ""] = hold.split(".") as [SocialProvider, string?];
  fakes[provider].before.set(call, () => {
    send(`held ${hold}`);
    return released;
  });
}

const service = serviceOn(database, {
  clock,
  secretBox: createSecretBox([{ id: "test", key: new Secret(options.secretKey) }]),
  queue: createTaskQueue(pool, clock),
  provider: (provider) => fakes[provider],
  telemetry: {
    ...NO_TELEMETRY,
    attemptEnded: ({ outcome }) => {
      if (outcome === "DISCARDED") send("superseded");
    },
  },
});
await startWorker(service, { concurrency: options.concurrency, pollSeconds: 0.5 });
send("ready");
