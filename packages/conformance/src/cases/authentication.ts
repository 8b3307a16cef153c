import { randomBytes, randomUUID } from "node:crypto";
import { DAY_MS, MARGIN_MS } from "../context/jobs.ts";
import { caseForEach, defineCases } from "../harness/defineCase.ts";
import { documentOf, OPERATION_NAMES } from "../wire/documents.ts";
import { MALFORMED_KEYS } from "./support/malformedKeys.ts";
import { rawPost } from "./support/rawPost.ts";

const hex = () => randomBytes(32).toString("hex");

const NEEDS_KEY = OPERATION_NAMES.filter((name) => name !== "status");

export const AUTHENTICATION_CASES = defineCases({
  ...caseForEach(NEEDS_KEY, (name) => ({
    id: `S5.missing.${name}`,
    title: `${name} without a key is UNAUTHENTICATED.`,
    readSafe: true,
    run: async (t) => {
      const outcome = await t.callWith(t.api, name, t.validArguments()[name], { authorization: null });
      t.fails(outcome, "UNAUTHENTICATED");
      t.equal(outcome.answer.body?.data?.[name] ?? null, null, "no data");
    },
  })),
  ...caseForEach(Object.entries(MALFORMED_KEYS), ([name, write]) => ({
    id: `S5.shape.${name}`,
    title: `A malformed Authorization header (${name}) is UNAUTHENTICATED.`,
    readSafe: true,
    run: async (t) => {
      const [id = "", secret = ""] = t.application.key.split(".");
      const authorization = write({ start: "", id, secret });
      t.fails(await t.call("integrationReadiness", {}, { authorization }), "UNAUTHENTICATED");
      t.value(await t.call("integrationReadiness", {}), "the key itself is valid");
    },
  })),
  ...caseForEach(["S5.unknown.by-itself", "S5.unknown"], (id) => ({
    id,
    title: `An unknown key id, a wrong secret of a known one ${id === "S5.unknown" ? "and a revoked key" : "and a malformed key"} are UNAUTHENTICATED and indistinguishable.`,
    needs: id === "S5.unknown" ? ["operator"] : [],
    readSafe: id !== "S5.unknown",
    run: async (t) => {
      const [keyId = ""] = t.application.key.split(".");
      const keys = [`${randomUUID()}.${hex()}`, `${keyId}.${hex()}`, "nothing"];
      if (id === "S5.unknown") {
        const revoked = await t.issueKey();
        await t.revokeKey(revoked);
        keys.push(revoked);
      }
      const shapes = [];
      for (const key of keys) {
        const failure = t.fails(await t.callWith(t.caller(key), "integrationReadiness", {}), "UNAUTHENTICATED");
        const error = failure.answer.body?.errors?.[0];
        const fields = Object.keys(error?.extensions ?? {}).sort();
        shapes.push(JSON.stringify([failure.answer.status, error?.message, fields]));
      }
      t.equal(new Set(shapes).size, 1, "all responses are equal except for their correlation ids");
    },
  })),
  "S5.revoked": {
    title: "A revoked key stops working at the next call, and the application's other key remains valid.",
    needs: ["operator"],
    run: async (t) => {
      const second = await t.issueKey();
      t.value(await t.callWith(t.caller(second), "integrationReadiness", {}), "a second active key works");
      t.value(await t.call("integrationReadiness", {}), "beside the first");
      await t.revokeKey(second);
      t.fails(await t.callWith(t.caller(second), "integrationReadiness", {}), "UNAUTHENTICATED");
      t.value(await t.call("integrationReadiness", {}), "the first still works");
    },
  },
  "S5.expired": {
    title: "A key works until its expiry.",
    lane: "timeline",
    needs: ["operator", "clock"],
    run: async (t) => {
      const before = await t.driver("clock").now();
      const key = await t.issueKey(1);
      const after = await t.driver("clock").now();
      await t.until(before, DAY_MS - MARGIN_MS);
      t.value(await t.callWith(t.caller(key), "integrationReadiness", {}), "shortly before its expiry");
      await t.until(after, DAY_MS);
      t.fails(await t.callWith(t.caller(key), "integrationReadiness", {}), "UNAUTHENTICATED");
    },
  },
  ...caseForEach(NEEDS_KEY, (name) => ({
    id: `S5.disabled.${name}`,
    title: `${name} with a valid key of a disabled application is FORBIDDEN.`,
    needs: ["operator"],
    run: async (t) => {
      await t.setEnabled(false);
      t.fails(await t.callWith(t.api, name, t.validArguments()[name]), "FORBIDDEN");
    },
  })),
  "S5.disabled.status": {
    title: "status also responds with an invalid key and for a disabled application.",
    needs: ["operator"],
    run: async (t) => {
      await t.setEnabled(false);
      t.value(await t.call("status", {}), "with the key of a disabled application");
      t.value(await t.call("status", {}, { authorization: "Bearer nonsense" }), "with an invalid key");
    },
  },
  "S5.status-is-alone": {
    title: "status does not exempt another operation in the same document from authentication.",
    readSafe: true,
    run: async (t) => {
      for (const query of [
        "{ status { ok } integrationReadiness { idpIdentityAvailable } }",
        "{ integrationReadiness { idpIdentityAvailable } status { ok } }",
        "{ status { ok } ... on Query { integrationReadiness { idpIdentityAvailable } } }",
        "{ status: integrationReadiness { idpIdentityAvailable } }",
        "query status { integrationReadiness { idpIdentityAvailable } }",
      ]) {
        const answer = await t.api.graphql(query, {}, { authorization: null });
        const codes = (answer.body?.errors ?? []).map((error) => error.extensions?.code);
        t.holds(codes.includes("UNAUTHENTICATED"), `${query} is UNAUTHENTICATED`, answer.text.slice(0, 300));
        const isReturned = answer.text.includes('idpIdentityAvailable":');
        t.holds(!isReturned, "the other operation's data is not returned", answer.text.slice(0, 300));
      }
    },
  },
  "S5.status-in-fragments": {
    title: "status needs no key in any form: under an alias, in a fragment, under a directive.",
    readSafe: true,
    run: async (t) => {
      for (const query of [
        "{ alive: status { ok } }",
        "{ ... on Query { status { ok } } }",
        "{ ... @include(if: true) { status { ok } } }",
        "{ ...F } fragment F on Query { ... { status { ...G } } } fragment G on ApiStatus { ok }",
      ]) {
        const { status, body } = await t.api.graphql(query, {}, { authorization: null });
        t.equal([status, Object.values(body?.data ?? {})], [200, [{ ok: true }]], query);
      }
    },
  },
  "S5.two-headers": {
    title: "Two valid Authorization headers are UNAUTHENTICATED.",
    needs: ["raw-socket"],
    run: async (t) => {
      const body = JSON.stringify({ query: documentOf("integrationReadiness") });
      const header = `Authorization: Bearer ${t.application.key}`;
      const json = "Content-Type: application/json";
      const post = (...headers: string[]) => rawPost(t.application.baseUrl, "/graphql", [json, ...headers], body);
      const one = await post(header);
      t.holds(one.includes('"data"') && !one.includes("UNAUTHENTICATED"), "one header is accepted", one.slice(0, 300));
      const two = await post(header, header);
      t.holds(two.includes("UNAUTHENTICATED"), "two are not", two.slice(0, 300));
    },
  },
});
