import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

// #region vercel
const app = createApp(readSettings(process.env));

/** The application on Vercel, as `api/index.ts`; a rewrite sends every path to it. */
export default { fetch: (request: Request) => app.fetch(request) };
// #endregion vercel
