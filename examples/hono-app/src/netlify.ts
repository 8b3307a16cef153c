import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

const app = createApp(readSettings(process.env));

// #region netlify
/** The application on Netlify, as `netlify/functions/app.ts`. */
export default (request: Request) => app.fetch(request);

export const config = { path: "/*" };
// #endregion netlify
