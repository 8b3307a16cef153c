import { SOME_POST } from "../context/jobs.ts";
import { unregisteredTenant } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";
import { OPERATION_NAMES } from "../wire/documents.ts";

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
      ]) {
        await t.refuses(name, t.validArguments(foreign, connectionId)[name], "NOT_FOUND");
      }
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
    const session = await t.createIdentity();
    const args = t.proofOf(session);
    await t.refusesOtherApplication("redeemIdpIdentityResult", args);
    const tenantKey = t.application.tenantKeys[1] ?? "";
    await t.refuses("redeemIdpIdentityResult", { ...args, tenantKey }, "NOT_FOUND");
    await t.refuses("redeemIdpIdentityResult", { ...args, resultProof: "0".repeat(64) }, "NOT_FOUND");
    t.equal((await t.get("redeemIdpIdentityResult", args)).status, "PENDING", "the correct proof");
  }).with({ needs: ["operator", "identity"] });
});
