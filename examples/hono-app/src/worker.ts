// #region hono-worker
import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

let app: ReturnType<typeof createApp> | undefined;

/** Created at the first request, with its bindings: the settings and secrets. */
export default {
  async fetch(request: Request, bindings: Readonly<Record<string, unknown>>): Promise<Response> {
    app ??= createApp(readSettings(bindings));
    return app.fetch(request);
  },
};
// #endregion hono-worker
