import { serve } from "@hono/node-server";
import { SocialConnect } from "@social-connect/sdk";
import { createApp } from "./app.ts";
import { readSettings } from "./core/settings.ts";
import { Store } from "./core/store.ts";

/** Composition root: the only place that reads the environment, the time and the network. */
function start(): void {
  const settings = readSettings(process.env);
  const { host, port } = settings;
  const log = (line: string) => console.error(line);
  const app = createApp({
    social: new SocialConnect({
      ...settings.client,
      hooks: { onRetry: ({ operation, code }) => log(`${operation} failed with ${code} and will be retried`) },
    }),
    settings,
    store: new Store(),
    clock: { now: () => new Date() },
    log,
  });
  const server = serve({ fetch: app.fetch, hostname: host, port }, (address) => {
    // A browser cannot open an address that means every address of the machine.
    const isEveryAddress = host === "0.0.0.0" || host === "::";
    const origin = isEveryAddress ? new URL(settings.returnUrl).origin : `http://${host}:${address.port}`;
    console.log(`Example web backend ready at ${origin}`);
  });

  server.on("error", (error: NodeJS.ErrnoException) => {
    const reason = error.code === "EADDRINUSE" ? `port ${port} is in use. Set PORT to a free one.` : error.message;
    console.error(`The example web backend cannot listen: ${reason}`);
    process.exitCode = 1;
  });

  const stop = () => {
    server.close();
    // Browsers keep connections open; the idle ones must not hold the process.
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

try {
  start();
} catch (error) {
  // The messages of the settings and of the SDK name the problem and the solution, and repeat no value.
  console.error(`The example web backend cannot start: ${error instanceof Error ? error.message : "unknown reason"}`);
  process.exitCode = 1;
}
