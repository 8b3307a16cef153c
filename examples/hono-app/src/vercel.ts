import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

const app = createApp(readSettings(process.env));

// #region vercel
/** The application on Vercel, as `api/index.ts`; a rewrite sends every path to it. */
export default { fetch: (request: Request) => app.fetch(request) };
// #endregion vercel
