// #region lambda
import { handle } from "hono/aws-lambda";
import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

/** The application on AWS Lambda, created once for each instance. */
export const handler = handle(createApp(readSettings(process.env)));
// #endregion lambda
