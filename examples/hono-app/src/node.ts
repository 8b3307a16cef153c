import { serve } from "@hono/node-server";
import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

/** The application as a Node process. */
try {
  const { HOST = "127.0.0.1", PORT = "4405" } = process.env;
  const app = createApp(readSettings(process.env));
  const server = serve({ fetch: app.fetch, hostname: HOST, port: Number(PORT) }, ({ port }) => {
    console.log(`Example Hono application ready at http://${HOST}:${port}`);
  });
  const stop = () => {
    server.close();
    // Browsers keep connections open; the idle ones must not hold the process.
    if ("closeIdleConnections" in server) server.closeIdleConnections();
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
} catch (error) {
  console.error(`The example cannot start: ${error instanceof Error ? error.message : "unknown reason"}`);
  process.exitCode = 1;
}
