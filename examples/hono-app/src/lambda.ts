import { handle } from "hono/aws-lambda";
import { createApp } from "./app.ts";
import { readSettings } from "./settings.ts";

// #region lambda
/** The application on AWS Lambda, behind a function URL or an API Gateway. Created once for each instance. */
export const handler = handle(createApp(readSettings(process.env)));
// #endregion lambda
