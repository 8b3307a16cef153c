import { serve } from "@hono/node-server";
import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

/** The application as a Node process. */
try {
  const { HOST = "127.0.0.1", PORT = "4405" } = process.env;
  const settings = readSettings(process.env);
  const app = createApp(settings);
  const server = serve({ fetch: app.fetch, hostname: HOST, port: Number(PORT) }, ({ port }) => {
    // A browser cannot open an address that means every address of the machine.
    const isEveryAddress = HOST === "0.0.0.0" || HOST === "::";
    const origin = isEveryAddress ? new URL(settings.returnUrl).origin : `http://${HOST}:${port}`;
    console.log(`Example Hono application ready at ${origin}`);
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
