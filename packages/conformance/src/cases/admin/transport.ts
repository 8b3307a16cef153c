import { createHash } from "node:crypto";
import type { Steps } from "../../context/steps.ts";
import { caseForEach, defineCasesWith } from "../../harness/defineCase.ts";
import type { RequestOptions } from "../../wire/call.ts";
import { ADMIN, graphqlCases } from "../support/graphqlApis.ts";
import { rawPost } from "../support/rawPost.ts";
import { adminRefusal } from "./support/findings.ts";

const PATH = "/api/admin/graphql";
const QUERY = "{ previewTemplate { template } }";
const BODY = JSON.stringify({ query: QUERY });
const HASH = createHash("sha256").update(QUERY).digest("hex");

const FORWARDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "plain-http": { "x-forwarded-proto": "http" },
  "https-by-a-stranger": { "x-forwarded-proto": "https" },
  "other-host": { "x-forwarded-host": "admin.example.test" },
  "other-address": { "x-forwarded-for": "127.0.0.1" },
  "by-rfc-7239": { forwarded: "for=127.0.0.1;proto=https" },
};

const persisted = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
const HASH_ONLY: Readonly<Record<string, unknown>> = {
  "unknown-hash": persisted("0".repeat(64)),
  "hash-of-a-good-document": persisted(HASH),
  "with-empty-query": { query: "", ...persisted(HASH) },
  "with-null-query": { query: null, ...persisted(HASH) },
  "document-id": { documentId: HASH },
};

/** Through the suite's transport, with a WRITE key. */
function send(t: Steps, body: string | null, options: RequestOptions = {}) {
  return t.admin.caller(t.admin.driver.writeKey).send(body, options);
}

async function answersStill(t: Steps): Promise<void> {
  t.equal((await send(t, BODY)).body?.errors, undefined, "the same request in its correct form is answered");
}

function forbidden(t: Steps, answer: Awaited<ReturnType<typeof send>>, what: string): void {
  adminRefusal(t, answer, what);
  const { code, reason } = answer.body?.errors?.[0]?.extensions ?? {};
  t.equal([code, reason], ["FORBIDDEN", undefined], `${what}: code and no reason`);
}

export const ADMIN_GRAPHQL_CASES = defineCasesWith({ needs: ["admin"], application: "none", readSafe: true })(
  graphqlCases(ADMIN),
);

export const ADMIN_TRANSPORT_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S4.admin.transport.plain": {
    title: "A request needs only a key, no Origin and no CSRF token, and other sites cannot read the response.",
    readSafe: true,
    run: async (t) => {
      for (const headers of [{}, { origin: "https://evil.example" }]) {
        const answer = await send(t, BODY, { headers });
        t.equal([answer.status, answer.body?.errors], [200, undefined], "it is answered");
        const cors = [...answer.headers.keys()].filter((name) => name.startsWith("access-control-"));
        t.equal(cors, [], "no CORS header");
        t.matches(answer.headers.get("cache-control"), /no-store/, "it is not cached");
      }
      const preflight = await send(t, null, {
        method: "OPTIONS",
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
      });
      const cors = [...preflight.headers.keys()].filter((name) => name.startsWith("access-control-allow"));
      t.equal(cors, [], "no preflight is granted");
    },
  },
  "S4.admin.transport.cookie": {
    title: "A request with any cookie is FORBIDDEN, with a valid key and without.",
    readSafe: true,
    run: async (t) => {
      for (const cookie of ["a=b", "social-connect-panel=x", "="]) {
        const headers = { cookie };
        forbidden(t, await send(t, BODY, { headers }), `the cookie "${cookie}"`);
        forbidden(t, await send(t, BODY, { headers, authorization: null }), "without a key");
      }
      await answersStill(t);
    },
  },
  ...caseForEach(Object.entries(FORWARDED), ([name, headers]) => ({
    id: `S4.admin.transport.forwarded-${name}`,
    title: `A request that claims to be forwarded (${name}) by an untrusted proxy is FORBIDDEN.`,
    run: async (t) => {
      forbidden(t, await send(t, BODY, { headers }), name);
      await answersStill(t);
    },
  })),
  "S4.admin.transport.two-authorizations": {
    title: "Two Authorization headers are FORBIDDEN, even if equal and in any order.",
    needs: ["admin", "raw-socket"],
    run: async (t) => {
      const good = `Authorization: Bearer ${t.admin.driver.writeKey}`;
      const json = "Content-Type: application/json";
      const post = (...headers: string[]) => rawPost(t.admin.driver.adminHost, PATH, [json, ...headers], BODY);
      for (const other of [good, "Authorization: Bearer nothing", "authorization: Basic YTpi"]) {
        for (const headers of [
          [good, other],
          [other, good],
        ]) {
          const answer = await post(...headers);
          t.matches(answer, /"code":"FORBIDDEN"/, "two Authorization headers");
          t.holds(!/"reason"/.test(answer) && !/"template"/.test(answer), "no reason, and nothing ran");
        }
      }
      t.matches(await post(good), /"template"/, "a single header is answered");
    },
  },
  "S4.admin.transport.wrong-host": {
    title: "A request for another host, or for two hosts, is FORBIDDEN.",
    needs: ["admin", "raw-socket"],
    run: async (t) => {
      const { host } = new URL(t.admin.driver.adminHost);
      const headers = ["Content-Type: application/json", `Authorization: Bearer ${t.admin.driver.writeKey}`];
      const post = (hosts: readonly string[]) => rawPost(t.admin.driver.adminHost, PATH, headers, BODY, hosts);
      for (const other of [
        "admin.example.test",
        `${host}.example.test`,
        "localhost.evil.example",
        `user@${host}`,
        "",
      ]) {
        const answer = await post([other]);
        t.holds(!/"template"/.test(answer), `nothing runs for ${other}`, answer.slice(0, 200));
        if (answer.startsWith("HTTP/1.1 200")) t.matches(answer, /"code":"FORBIDDEN"/, `for ${other}`);
        else t.matches(answer, /^HTTP\/1\.1 4\d\d/, `for ${other}`);
      }
      t.matches(await post([host]), /"template"/, "the right one is answered");
    },
  },
  ...caseForEach(Object.entries(HASH_ONLY), ([name, body]) => ({
    id: `S4.admin.transport.hash-only-${name}`,
    title: `A request without the source of its document (${name}) is UPSTREAM_UNAVAILABLE, every time.`,
    readSafe: true,
    run: async (t) => {
      // The source was sent before with the hash: it is not stored.
      const told = await send(t, JSON.stringify({ query: QUERY, ...persisted(HASH) }));
      t.equal(told.body?.errors, undefined, "the full source with its hash is answered");
      for (let round = 0; round < 2; round += 1) {
        const answer = await send(t, JSON.stringify(body));
        t.equal(answer.body?.data ?? null, null, "nothing ran");
        t.equal(answer.body?.errors?.[0]?.extensions?.code, "UPSTREAM_UNAVAILABLE", "code");
      }
    },
  })),
});
