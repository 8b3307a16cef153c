import { randomBytes, randomUUID } from "node:crypto";
import { shapeOf } from "../context/findings.ts";
import { DAY_MS, MARGIN_MS, SOME_POST } from "../context/jobs.ts";
import { unregisteredTenant } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";
import { documentOf, OPERATION_NAMES } from "../wire/documents.ts";
import { MALFORMED_KEYS } from "./support/malformedKeys.ts";
import { rawPost } from "./support/rawPost.ts";

const hex = () => randomBytes(32).toString("hex");

const NEEDS_KEY = OPERATION_NAMES.filter((name) => name !== "status");

export const AUTHENTICATION_CASES = defineCases({}, (test) => {
  for (const name of NEEDS_KEY)
    test(`S5.missing.${name}: ${name} without a key is UNAUTHENTICATED.`, async (t) => {
      const outcome = await t.callWith(t.api, name, t.validArguments()[name], { authorization: null });
      t.fails(outcome, "UNAUTHENTICATED");
      t.equal(outcome.answer.body?.data?.[name] ?? null, null, "no data");
    }).with({ readSafe: true });
  for (const [name, write] of Object.entries(MALFORMED_KEYS))
    test(`S5.shape.${name}: A malformed Authorization header (${name}) is UNAUTHENTICATED.`, async (t) => {
      const [id = "", secret = ""] = t.application.key.split(".");
      const authorization = write({ start: "", id, secret });
      t.fails(await t.call("integrationReadiness", {}, { authorization }), "UNAUTHENTICATED");
      t.value(await t.call("integrationReadiness", {}), "the key itself is valid");
    }).with({ readSafe: true });
  for (const id of ["S5.unknown.by-itself", "S5.unknown"] as const)
    test(`${id}: An unknown key id, a wrong secret of a known one ${id === "S5.unknown" ? "and a revoked key" : "and a malformed key"} are UNAUTHENTICATED and indistinguishable.`, async (t) => {
      const [keyId = ""] = t.application.key.split(".");
      const keys = [`${randomUUID()}.${hex()}`, `${keyId}.${hex()}`, "nothing"];
      if (id === "S5.unknown") {
        const revoked = await t.issueKey();
        await t.revokeKey(revoked);
        keys.push(revoked);
      }
      const shapes = new Set<string>();
      for (const key of keys) {
        const outcome = await t.callWith(t.caller(key), "integrationReadiness", {});
        shapes.add(shapeOf(t.fails(outcome, "UNAUTHENTICATED").answer));
      }
      t.equal(shapes.size, 1, "all responses are equal except for their correlation ids");
    }).with({ needs: id === "S5.unknown" ? ["operator"] : [], readSafe: id !== "S5.unknown" });
  test("S5.revoked: A revoked key stops working at the next call, and the application's other key remains valid.", async (t) => {
    const second = await t.issueKey();
    t.value(await t.callWith(t.caller(second), "integrationReadiness", {}), "a second active key works");
    t.value(await t.call("integrationReadiness", {}), "beside the first");
    await t.revokeKey(second);
    t.fails(await t.callWith(t.caller(second), "integrationReadiness", {}), "UNAUTHENTICATED");
    t.value(await t.call("integrationReadiness", {}), "the first still works");
  }).with({ needs: ["operator"] });
  test("S5.expired: A key works until its expiry.", async (t) => {
    const before = await t.driver("clock").now();
    const key = await t.issueKey(1);
    const after = await t.driver("clock").now();
    await t.until(before, DAY_MS - MARGIN_MS);
    t.value(await t.callWith(t.caller(key), "integrationReadiness", {}), "shortly before its expiry");
    await t.until(after, DAY_MS);
    t.fails(await t.callWith(t.caller(key), "integrationReadiness", {}), "UNAUTHENTICATED");
  }).with({ lane: "timeline", needs: ["operator", "clock"] });
  for (const name of NEEDS_KEY)
    test(`S5.disabled.${name}: ${name} with a valid key of a disabled application is FORBIDDEN.`, async (t) => {
      await t.setEnabled(false);
      t.fails(await t.callWith(t.api, name, t.validArguments()[name]), "FORBIDDEN");
    }).with({ needs: ["operator"] });
  test("S5.disabled.status: status also responds with an invalid key and for a disabled application.", async (t) => {
    await t.setEnabled(false);
    t.value(await t.call("status", {}), "with the key of a disabled application");
    t.value(await t.call("status", {}, { authorization: "Bearer nonsense" }), "with an invalid key");
  }).with({ needs: ["operator"] });
  test("S5.status-is-alone: status does not exempt another operation in the same document from authentication.", async (t) => {
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
      t.holds(!answer.text.includes('idpIdentityAvailable":'), "no data of the other operation", answer.text);
    }
  }).with({ readSafe: true });
  test("S5.status-in-fragments: status needs no key in any form: under an alias, in a fragment, under a directive.", async (t) => {
    for (const query of [
      "{ alive: status { ok } }",
      "{ ... on Query { status { ok } } }",
      "{ ... @include(if: true) { status { ok } } }",
      "{ ...F } fragment F on Query { ... { status { ...G } } } fragment G on ApiStatus { ok }",
    ]) {
      const { status, body } = await t.api.graphql(query, {}, { authorization: null });
      t.equal([status, Object.values(body?.data ?? {})], [200, [{ ok: true }]], query);
    }
  }).with({ readSafe: true });
  test("S5.two-headers: Two valid Authorization headers are UNAUTHENTICATED.", async (t) => {
    const body = JSON.stringify({ query: documentOf("integrationReadiness") });
    const header = `Authorization: Bearer ${t.application.key}`;
    const json = "Content-Type: application/json";
    const post = (...headers: string[]) => rawPost(t.application.baseUrl, "/graphql", [json, ...headers], body);
    const one = await post(header);
    t.holds(one.includes('"data"') && !one.includes("UNAUTHENTICATED"), "one header is accepted", one.slice(0, 300));
    const two = await post(header, header);
    t.holds(two.includes("UNAUTHENTICATED"), "two are not", two.slice(0, 300));
  }).with({ needs: ["raw-socket"] });
});

const CONNECTION_FIELDS = [
  "connection",
  "content",
  "contentItem",
  "disconnectConnection",
  "requestRefresh",
  "requestContentLookup",
] as const;

const SCOPED = OPERATION_NAMES.filter((name) => name !== "status" && name !== "integrationReadiness");

export const SCOPE_CASES = defineCases({ needs: ["provider", "operator"] }, (test) => {
  for (const name of SCOPED)
    test(`S5.tenant.unregistered-${name}: ${name} with a tenant that is not registered is ${unregisteredTenant(name)}.`, async (t) => {
      const args = t.validArguments(t.scope("no-such-tenant"))[name];
      await t.refuses(name, args, unregisteredTenant(name));
    }).with({ needs: [], readSafe: true });
  for (const name of CONNECTION_FIELDS)
    test(`S5.foreign.${name}: ${name} on a connection of another subject, tenant or application is NOT_FOUND, and its owner can use it.`, async (t) => {
      const { scope, connectionId } = await t.connect();
      const [one, two] = t.application.tenantKeys;
      for (const foreign of [
        { ...scope, externalSubjectId: `${scope.externalSubjectId}x` },
        { ...scope, externalSubjectId: scope.externalSubjectId.toUpperCase() },
        { ...scope, tenantKey: two ?? one },
      ])
        await t.refuses(name, t.validArguments(foreign, connectionId)[name], "NOT_FOUND");
      // Another application may use the same tenant key and subject id.
      await t.refusesOtherApplication(name, t.validArguments(scope, connectionId)[name]);
      const own = await t.callWith(t.api, name, t.validArguments(scope, connectionId)[name]);
      t.holds(own.ok || own.code !== "NOT_FOUND", "its owner finds it", own.ok ? null : own.code);
    });
  test("S5.foreign.connectSessionResult: The result of an attempt is NOT_FOUND for another subject, tenant or application.", async (t) => {
    const { scope, id } = await t.createSession();
    await t.refusesOtherApplication("connectSessionResult", { scope, id });
    await t.refuses("connectSessionResult", { scope: t.scope(), id }, "NOT_FOUND");
    const tenantKey = t.application.tenantKeys[1] ?? "";
    await t.refuses("connectSessionResult", { scope: { ...scope, tenantKey }, id }, "NOT_FOUND");
    await t.resultOf({ scope, id });
  }).with({ needs: ["operator"] });
  test("S5.foreign.syncJob: A job is NOT_FOUND for another subject, connection or application, also with the job's own id.", async (t) => {
    const connected = await t.connect();
    const { id } = await t.get("requestContentLookup", { ...connected, url: SOME_POST });
    await t.refusesOtherApplication("syncJob", { ...connected, id });
    await t.refuses("syncJob", { ...connected, scope: t.scope(), id }, "NOT_FOUND");
    const second = await t.connect({ scope: connected.scope, account: "unicode" });
    await t.refuses("syncJob", { ...second, id }, "NOT_FOUND", "a job of another connection of the subject");
    await t.refuses("syncJob", { ...connected, id: "no-id" }, "NOT_FOUND");
    await t.readJob(connected, id);
  });
  test("S5.foreign.connections: connections lists only the subject's own rows.", async (t) => {
    const { scope, connectionId } = await t.connect();
    const ids = async (one: typeof scope) => (await t.get("connections", { scope: one })).items.map((item) => item.id);
    t.equal(await ids(scope), [connectionId], "its own subject");
    t.equal(await ids(t.scope()), [], "another subject");
    t.equal(await ids({ ...scope, tenantKey: t.application.tenantKeys[1] ?? "" }), [], "another tenant");
    const other = await t.anotherApplication();
    const page = t.value(await t.callWith(t.caller(other.key), "connections", { scope }));
    t.equal(page.items, [], "another application");
  });
  test("S5.foreign.redeemIdpIdentityResult: An identity session is NOT_FOUND for another tenant or application, and its proof stays valid.", async (t) => {
    const args = t.proofOf(await t.createIdentity());
    await t.refusesOtherApplication("redeemIdpIdentityResult", args);
    const tenantKey = t.application.tenantKeys[1] ?? "";
    await t.refuses("redeemIdpIdentityResult", { ...args, tenantKey }, "NOT_FOUND");
    await t.refuses("redeemIdpIdentityResult", { ...args, resultProof: "0".repeat(64) }, "NOT_FOUND");
    t.equal((await t.get("redeemIdpIdentityResult", args)).status, "PENDING", "the correct proof");
  }).with({ needs: ["operator", "identity"] });
});
