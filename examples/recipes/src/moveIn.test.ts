import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { fromAuth0, fromNango } from "./moveIn.ts";

const PLACE = { provider: "PROVIDER_A", client: "shop", tenantKey: "acme" };
const KEY = "key";

/** Answers as the documentation of the service shows. */
async function serve(answers: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer(({ url = "", headers }, response) => {
    const answer = headers.authorization === `Bearer ${KEY}` ? answers[url] : undefined;
    response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function collect<Line>(lines: AsyncIterable<Line>): Promise<Line[]> {
  const all: Line[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

test("writes the connections of one integration of Nango, without those that have no refresh token", async () => {
  const connection = (id: string, more: object) => ({ connection_id: id, provider_config_key: "youtube", ...more });
  const query = "provider_config_key=youtube&refresh_token=true";
  const raw = { scope: "one two" };
  const api = await serve({
    "/connections": {
      connections: [connection("1", {}), connection("2", {}), { ...connection("3", {}), provider_config_key: "other" }],
    },
    [`/connections/1?${query}`]: connection("1", {
      tags: { end_user_id: "user-1" },
      credentials: { type: "OAUTH2", access_token: "access", refresh_token: "refresh", raw },
    }),
    [`/connections/2?${query}`]: connection("2", { end_user: { id: "user-2" }, credentials: { type: "OAUTH2" } }),
  });
  const lines = await collect(fromNango(api, KEY, "youtube", PLACE));
  const line = { ...PLACE, externalSubjectId: "user-1", refreshToken: "refresh", scopes: ["one", "two"] };
  expect(lines).toEqual([line]);
  await expect(collect(fromNango(api, "wrong", "youtube", PLACE))).rejects.toThrow("404");
});

test("writes the identities of one connection of Auth0", async () => {
  const google = { connection: "google-oauth2", provider: "google-oauth2", user_id: "1" };
  const tenant = await serve({
    "/api/v2/users/google-oauth2%7C1": {
      identities: [
        { ...google, access_token: "access", refresh_token: "refresh" },
        { connection: "other", refresh_token: "x" },
      ],
    },
    "/api/v2/users/google-oauth2%7C2": { identities: [{ ...google, access_token: "access" }] },
  });
  async function* ids() {
    yield* ["google-oauth2|1", "google-oauth2|2"];
  }
  const lines = await collect(fromAuth0(tenant, KEY, ids(), "google-oauth2", PLACE));
  expect(lines).toEqual([{ ...PLACE, externalSubjectId: "google-oauth2|1", refreshToken: "refresh" }]);
});
