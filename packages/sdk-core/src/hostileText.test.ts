/** What the SDKs first do with a server's text, on hostile text. */
import { expectLinearTime } from "@social-connect/testkit";
import { test } from "vitest";
import { cleanId, cleanMessage, cleanName, withSecretsOf } from "./serverText.ts";

const KEY = `0f8fad5b-d9cb-469f-a165-70867728950e.${"c0ffee00".repeat(8)}`;
const SENT = { secrets: [KEY, ...KEY.split(".")], values: ["acme", "user-42", "https://app.example/return"] };

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  "a message": (text) => cleanMessage(text, SENT),
  "a message that repeats an answer": (text) =>
    cleanMessage(text, withSecretsOf({ launchToken: text, id: text, launchUrl: `${text}/` }, SENT)),
  "a name": (text) => cleanName(text, /^[A-Za-z][\w.-]{0,38}$/, SENT),
  "an id": (text) => cleanId(text, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, SENT),
};

test.each(Object.entries(PARSERS))("%s takes 1 MiB of hostile text in under 100 ms", (_, parser) => {
  expectLinearTime(parser);
});
