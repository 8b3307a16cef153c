import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

// #region netlify
const app = createApp(readSettings(process.env));

/** The application on Netlify, as `netlify/functions/app.ts`. */
export default (request: Request) => app.fetch(request);

export const config = { path: "/*" };
// #endregion netlify
