import type { ServerResponse } from "node:http";
import { type LocalServer, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Secret } from "../../platform/secrets/secret.ts";
import { startTestService, type TestService } from "../testing/testService.ts";
import { beginSignIn } from "./beginSignIn.ts";

let issuer: LocalServer;
let answer: (response: ServerResponse) => void;
let service: TestService;
let asked = 0;

beforeAll(async () => {
  issuer = await serve((_, response) => answer(response));
  const clientSecret = new Secret("panel-secret");
  service = await startTestService({ issuer: { url: issuer.url, clientId: "panel", clientSecret } });
});
afterAll(async () => {
  await service.close();
  await issuer.close();
});

function beginTwenty() {
  asked = 0;
  return Promise.all(Array.from({ length: 20 }, () => beginSignIn(service, { session: null, returnPath: "/panel" })));
}

test("twenty concurrent sign-ins share one discovery request, and each has its own state", async () => {
  const { url } = issuer;
  answer = (response) => {
    asked += 1;
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ issuer: url, authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/t` }),
    );
  };
  const begun = await beginTwenty();
  expect(asked).toBe(1);
  expect(new Set(begun.map((one) => one?.location.searchParams.get("state"))).size).toBe(20);
  expect(new Set(begun.map((one) => one?.location.searchParams.get("nonce"))).size).toBe(20);
  await beginSignIn(service, { session: null, returnPath: "/panel" });
  expect(asked).toBe(2);
});

test("a failed discovery is repeated for the next sign-in", async () => {
  answer = (response) => {
    asked += 1;
    response.writeHead(500).end();
  };
  expect(new Set(await beginTwenty())).toEqual(new Set([null]));
  expect(asked).toBe(1);
  expect(await beginSignIn(service, { session: null, returnPath: "/panel" })).toBeNull();
  expect(asked).toBe(2);
});
