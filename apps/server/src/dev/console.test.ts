import { expect, test } from "vitest";
import { logged } from "./console.ts";

test("a refused call is one readable line, without that of the security log", () => {
  const call = { code: "NOT_FOUND", correlationId: "c-1" };
  const failed = { operation: "connection", answered: "No such connection.", msg: "consumer operation failed" };
  const security = { event: "api.call_refused", msg: "An API call was refused." };
  const lines = [
    JSON.stringify({ level: "debug", ...call, ...failed }),
    JSON.stringify({ level: "warn", ...call, ...security }),
    JSON.stringify({ level: "warn", ...call, ...security, event: "api.key_refused" }),
  ];
  expect(lines.map(logged)).toEqual([
    "connection was refused: NOT_FOUND. No such connection. (correlation id c-1)",
    null,
    null,
  ]);
});

test.each([
  { level: "warn", event: "api.call_refused", code: "BODY_TOO_LARGE" },
  { level: "warn", event: "panel.sign_in_failed" },
  { level: "error", msg: "failed to serve a page" },
])("%j is shown unchanged", (fields) => {
  const text = JSON.stringify(fields);
  expect(logged(text)).toBe(text);
});

test("other debug lines and information are not shown", () => {
  for (const level of ["debug", "info"]) expect(logged(JSON.stringify({ level, msg: "started" }))).toBeNull();
});
