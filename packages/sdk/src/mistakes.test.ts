import { createServer } from "node:http";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { describe, expect, test } from "vitest";
import { SocialConnect } from "./client.ts";

/** Frequent mistakes are answered with their remedy. */
const KEY = `00000000-0000-4000-8000-000000000000.${"0a".repeat(32)}`;
const BASE_URL = "https://sandbox.example.com";

test.each([undefined, null, ""])("a key that is missing or empty: %s", (key) => {
  expect(() => new SocialConnect({ baseUrl: BASE_URL, key } as never)).toThrow(
    "key is missing or empty: pass an application key: a UUID, a dot and 64 hexadecimal characters, without white space.",
  );
});

test.each([`${KEY}\n`, ` ${KEY}`, `Bearer ${KEY}`, `"${KEY}"`])("a key with more around it: %j", (key) => {
  expect(() => new SocialConnect({ baseUrl: BASE_URL, key })).toThrow(
    "key is not an application key: a UUID, a dot and 64 hexadecimal characters, without white space.",
  );
});

describe("a service that cannot be reached", () => {
  const status = (baseUrl: string) => new SocialConnect({ baseUrl, key: KEY, retries: 0 }).status();

  test("a refused connection names the host and its port", async () => {
    const server = await listening(createServer());
    await server.close();
    await expect(status(server.url)).rejects.toThrow(
      `${new URL(server.url).host} could not be reached (ECONNREFUSED). Check that it runs, and whether it serves http or https.`,
    );
  });

  test("http where https is served names the remedy", async () => {
    // A TLS server ends a connection that begins with anything else.
    const server = await listening(createServer((request) => request.socket.destroy()));
    await expect(status(server.url)).rejects.toThrow(
      `${new URL(server.url).host} ended the connection without a response (UND_ERR_SOCKET). Check whether it serves http or https.`,
    );
    await server.close();
  });

  test("https where http is served names the remedy", async () => {
    const server = await listening(createServer());
    const { host } = new URL(server.url);
    await expect(status(`https://${host}`)).rejects.toThrow(
      /^TLS with [\d.:]+ failed \(\w+\)\. Use http:\/\/ for plain http\.$/,
    );
    await server.close();
  });
});

test.each([
  ["publishedAfter", { publishedAfter: "yesterday", publishedBefore: new Date() }],
  ["publishedBefore", { publishedAfter: new Date(0), publishedBefore: new Date(Number.NaN) }],
])("a malformed time names its argument: %s", (name, window) => {
  const user = new SocialConnect({ baseUrl: BASE_URL, key: KEY }).forSubject({
    tenantKey: "t",
    externalSubjectId: "s",
  });
  const message = `${name} must be a valid Date or an ISO 8601 string.`;
  expect(() => user.content("c", window)).toThrow(message);
  expect(() => user.refresh("c", { window })).toThrow(message);
});
