import { expect, test } from "vitest";
import { servedMethods } from "./servedMethods.ts";

const SENT = ["PROVIDER_C deauthorization", "PROVIDER_B webhook", "PROVIDER_C data-deletion"];

const methodsOf = (path: string) =>
  servedMethods(path, (provider, message) => SENT.includes(`${provider} ${message}`))?.join(", ") ?? null;

test.each([
  ["/graphql", "POST"],
  ["/api/admin/graphql", "POST"],
  ["/panel/graphql", "POST"],
  ["/schema.graphql", "GET, HEAD"],
  ["/api/connect/redeem", "POST"],
  ["/api/connect/consent", "GET, HEAD, POST"],
  ["/api/connect/callback/provider-a", "GET, HEAD"],
  ["/api/identity/redeem", "POST"],
  ["/api/identity/callback", "GET, HEAD, POST"],
  ["/api/connect/deauthorize/provider-c", "POST"],
  ["/api/connect/provider-b/webhook", "POST"],
  ["/api/connect/provider-c/data-deletion", "GET, HEAD, POST"],
  ["/panel", "GET, HEAD"],
  ["/panel/clients", "GET, HEAD"],
  ["/panel/sign-in", "GET, HEAD"],
  ["/panel/sign-out", "POST"],
])("%s has the methods %s", (path, methods) => {
  expect(methodsOf(path)).toBe(methods);
});

test.each([
  ...["/", "/graphql/", "//graphql", "/graphql?x", "/panelx", "/api/connect", "/api/connect/redeem/"],
  ...["/api/connect/callback/provider-z", "/api/connect/callback/constructor", "/api/connect/callback/provider-a/x"],
  ...[
    "/api/connect/deauthorize/provider-a",
    "/api/connect/provider-a/webhook",
    "/api/connect/provider-b/data-deletion",
  ],
])("%s does not exist", (path) => {
  expect(methodsOf(path)).toBeNull();
});
