import { expect, test } from "vitest";
import { speculativeStatus } from "./speculative.ts";

const statusOf = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) =>
  speculativeStatus(method, path, (name) => headers[name]);

const CALLBACK = "/api/connect/callback/provider-a";

test.each([
  [{ "sec-purpose": "prefetch" }],
  [{ "sec-purpose": "prefetch;prerender" }],
  [{ "sec-purpose": "prefetch;anonymous-client-ip" }],
  [{ "sec-purpose": "Prefetch" }],
  [{ purpose: "prefetch" }],
  [{ purpose: "preview" }],
  [{ "x-purpose": "preview" }],
  [{ "x-moz": "prefetch" }],
])("a request ahead of a person's is too early: %j", (headers) => {
  expect(statusOf("GET", CALLBACK, headers)).toBe(425);
  expect(statusOf("GET", "/panel/assets/index.js", headers)).toBeNull();
});

test.each([{}, { "sec-purpose": "" }, { purpose: "unprefetched" }, { "sec-fetch-dest": "document" }])(
  "a person's request is served: %j",
  (headers) => {
    expect(statusOf("GET", CALLBACK, headers)).toBeNull();
    expect(statusOf("POST", "/api/connect/redeem", headers)).toBeNull();
  },
);

test.each([
  CALLBACK,
  "/api/connect/redeem",
  "/api/connect/consent",
  "/api/identity/redeem",
  "/api/identity/callback",
  "/panel/sign-in",
  "/panel/confirm",
  "/panel/callback",
])("HEAD of %s gets no content", (path) => {
  expect(statusOf("HEAD", path)).toBe(204);
});

test.each(["/panel", "/panel/clients", "/schema.graphql", "/healthz"])("HEAD of %s is a read", (path) => {
  expect(statusOf("HEAD", path)).toBeNull();
});
