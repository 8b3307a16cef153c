/** What the mocks first do with text from outside, on hostile text. */
import { expectLinearTime } from "@social-connect/testkit";
import { test } from "vitest";
import { redactor } from "./drift/redactor.ts";
import { redact } from "./graphql/callLog.ts";
import { boundSecret } from "./http/cookies.ts";
import { type Incoming, readForm } from "./http/exchange.ts";
import { errorPage } from "./pages/pages.ts";

const KEY = `0f8fad5b-d9cb-469f-a165-70867728950e.${"c0ffee00".repeat(8)}`;
const URL_OF_MOCK = new URL("https://connect.example");
const HOSTS = { connectHost: URL_OF_MOCK.origin };
const incoming = (text: string): Incoming =>
  ({
    method: "POST",
    url: URL_OF_MOCK,
    headers: { get: (name: string) => (name === "content-type" ? "application/x-www-form-urlencoded" : text) },
    text: async () => text,
  }) as unknown as Incoming;

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  "the call log": (text) => redact({ [text.slice(0, 4_096)]: text, list: [text] }),
  "the redactor of drift": redactor([KEY]),
  "cookies of a connect attempt": (text) => boundSecret(HOSTS, incoming(text), "connect", "a"),
  "a form": (text) => readForm(incoming(text)),
  "a page": (text) => errorPage({ status: 400, title: "", happened: text, whatToDo: "" }),
};

test.each(Object.entries(PARSERS))("%s takes 1 MiB of hostile text in under 100 ms", (_, parser) => {
  expectLinearTime(parser);
});
