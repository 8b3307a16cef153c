import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

// #region hono-worker
let app: ReturnType<typeof createApp> | undefined;

/** The application as a worker: the platform hands its settings to each request, and they never change. */
export default {
  async fetch(request: Request, bindings: Readonly<Record<string, unknown>>): Promise<Response> {
    app ??= createApp(readSettings(bindings));
    return app.fetch(request);
  },
};
// #endregion hono-worker
