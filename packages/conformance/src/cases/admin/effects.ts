import { defineCases } from "../../harness/defineCase.ts";
import { allOf } from "../../wire/call.ts";

export const ADMIN_EFFECT_CASES = defineCases({ needs: ["operator"] }, (test) => {
  test("S4.admin.effect.disable: Disabling a client rejects its keys and ends its pending attempts for good; enabling it allows new ones.", async (t) => {
    const scope = t.scope();
    const [created, launching] = [await t.createSession({ scope }), await t.createSession({ scope })];
    await t.launched(launching, t.browser());
    const identity = await t.createIdentity();
    await t.setEnabled(false);
    for (const name of ["integrationReadiness", "connections", "createConnectSession"] as const)
      await t.refuses(name, t.validArguments(scope)[name], "FORBIDDEN");
    t.holds((await t.postLaunch(created)).status !== 303, "its launch forms do not redirect");
    await t.setEnabled(true);
    for (const session of [created, launching]) t.ends(await t.resultOf(session), "CANCELED", "APPLICATION_DISABLED");
    t.equal((await t.redeem(identity)).status, "FAILED", "the identity attempt");
    t.equal((await t.postLaunch(await t.createSession({ scope }))).status, 303, "a new attempt starts");
  }).with({ needs: ["operator", "identity"] });
  test("S4.admin.effect.disable-in-parallel: A client that is disabled while attempts are created has none that can be finished.", async (t) => {
    const scopes = Array.from({ length: 12 }, () => t.scope());
    const creating = scopes.map(async (scope) => ({
      scope,
      outcome: await t.call("createConnectSession", { input: t.connectInput({ scope }) }),
    }));
    await t.setEnabled(false);
    const created = (await Promise.all(creating)).flatMap(({ scope, outcome }) => {
      if (!outcome.ok) t.equal(outcome.code, "FORBIDDEN", "an attempt that was created too late");
      return outcome.ok ? [{ scope, id: outcome.value.id }] : [];
    });
    await t.refuses("integrationReadiness", {}, "FORBIDDEN");
    await t.setEnabled(true);
    for (const session of created) t.ends(await t.resultOf(session), "CANCELED", "APPLICATION_DISABLED");
  });
  test("S4.admin.effect.tenant: A removed tenant is unregistered at the next read, and unchanged when it is added again.", async (t) => {
    const id = await t.clientId();
    const { scope, connectionId } = await t.connect();
    const { tenantKey } = scope;
    await t.admin.get("removeClientTenantKey", { id, tenantKey });
    await t.refusesSession({ scope }, "FORBIDDEN");
    await t.refuses("connections", { scope }, "FORBIDDEN");
    await t.refuses("disconnectConnection", { scope, connectionId }, "NOT_FOUND");
    await t.createSession({ scope: t.scope(t.application.tenantKeys[1]) });
    await t.admin.get("addClientTenantKey", { id, tenantKey });
    t.equal((await t.readConnection({ scope, connectionId })).status, "CONNECTED", "added again");
    const fresh = "tenant-made-now";
    await t.refusesSession({ scope: t.scope(fresh) }, "FORBIDDEN");
    await t.admin.get("addClientTenantKey", { id, tenantKey: fresh });
    await t.createSession({ scope: t.scope(fresh) });
  }).with({ needs: ["operator", "provider"] });
  test("S4.admin.effect.support: Support finds a connection by its user and by ids, opens it with a reason, and disconnects it, with audit entries.", async (t) => {
    const { scope, connectionId } = await t.connect();
    const { slug: clientSlug } = await t.admin.get("adminClient", { id: await t.clientId() });
    const subject = { clientSlug, ...scope };
    const { items } = await t.admin.inPanel("searchConnections", subject);
    const found = items.map(({ id }) => id);
    t.equal(found, [connectionId], "connections of the user");
    const attempts = await t.admin.inPanel("searchConnectAttempts", subject);
    t.shows(attempts.items[0], { status: "COMPLETED", connectionId, clientSlug }, "the connect attempt");
    for (const id of [connectionId, attempts.items[0]?.id ?? ""]) {
      const { connections } = await t.admin.inPanel("findByReference", { id });
      t.shows(connections[0], { id: connectionId, clientSlug }, "what the id refers to");
    }
    const page = { first: 50, action: "Connections searched", clientSlug };
    const searches = await t.admin.inPanel("searchAuditEntries", page);
    t.equal(searches.items.length >= 4, true, "each search is in the audit log");
    const texts = JSON.stringify(searches.items);
    t.equal(texts.includes(scope.externalSubjectId), false, "without the text that was searched for");
    const call = { id: connectionId, reason: `conformance ${crypto.randomUUID()}` };
    const named = `asked by ${scope.externalSubjectId.toUpperCase()}`;
    for (const operation of ["viewConnection", "rescanConnection", "disconnectForUser"] as const)
      for (const reason of ["", named]) await t.admin.panelRefuses(operation, { ...call, reason }, "InvalidInputError");
    const { externalSubjectId } = scope;
    const opened = await t.admin.inPanel("viewConnection", call);
    t.shows(opened, { status: "CONNECTED", externalSubjectId }, "opened");
    const ended = await t.admin.inPanel("disconnectForUser", call);
    t.equal([ended.status, ended.explanation.cause], ["DISCONNECTED", "DISCONNECTED"], "disconnected");
    await t.refuses("requestRefresh", { scope, connectionId }, "NOT_FOUND");
    for (const action of ["Connection viewed", "Connection disconnected"]) {
      const entries = await t.admin.inPanel("searchAuditEntries", { first: 50, action });
      const entry = entries.items.find(({ summary }) => summary.includes(call.reason));
      t.shows(entry, { targetType: "CONNECTION", targetId: connectionId, clientSlug }, action);
    }
  }).with({ needs: ["operator", "provider", "panel-session"] });
  test("S4.admin.effect.findPeople: A user's id is suggested by its beginning, and found in all clients, without the text in the audit log.", async (t) => {
    const { scope } = await t.connect();
    const { slug: clientSlug } = await t.admin.get("adminClient", { id: await t.clientId() });
    const { tenantKey, externalSubjectId } = scope;
    const suggest = (startsWith: string) => t.admin.inPanel("suggestUsers", { clientSlug, tenantKey, startsWith });
    const find = (startsWith: string) => t.admin.inPanel("findPeople", { startsWith });
    for (const text of [externalSubjectId.slice(0, -1), externalSubjectId]) {
      t.equal(await suggest(text), [externalSubjectId], "the user");
      t.equal(await find(text), [{ clientSlug, tenantKey, externalSubjectId }], "the user, in all clients");
    }
    t.equal(
      [await suggest(`${externalSubjectId}-`), await find(crypto.randomUUID())],
      [[], []],
      "no id begins like this",
    );
    for (const startsWith of ["", "x".repeat(257)])
      await t.admin.panelRefuses("suggestUsers", { clientSlug, tenantKey, startsWith }, "BAD_USER_INPUT");
    const page = { first: 50, action: "Connections searched", clientSlug };
    const { items } = await t.admin.inPanel("searchAuditEntries", page);
    for (const text of ["Was shown ids of users while typing.", "Searched for a user in all clients."])
      t.some(items, ({ summary }) => summary === text, text);
    t.equal(JSON.stringify(items).includes(externalSubjectId), false, "without the text");
  }).with({ needs: ["operator", "provider", "panel-session"] });
  test("S4.admin.effect.person: An admin sees what is stored about a user and erases all of it but receipts, which count it.", async (t) => {
    const { scope, connectionId } = await t.connect();
    const { slug: clientSlug } = await t.admin.get("adminClient", { id: await t.clientId() });
    const subject = { clientSlug, ...scope };
    const read = () => t.admin.inPanel("person", subject);
    const before = await read();
    t.shows(before, { ...subject, isStored: true }, "the user");
    t.equal(before.connections.length, 1, "the accounts");
    t.shows(before.connections[0], { id: connectionId, status: "CONNECTED" }, "the account");
    const tables = before.records.map(({ table }) => table);
    for (const table of ["connection", "provider_grant", "connect_attempt", "audit_entry"])
      t.holds(tables.includes(table), `stored: ${table}`, tables);
    const nobody = await t.admin.inPanel("person", { ...subject, externalSubjectId: crypto.randomUUID() });
    t.shows(nobody, { isStored: false, connections: [], receipts: [] }, "a user without stored data");
    const reason = `conformance ${crypto.randomUUID()}`;
    for (const refused of ["", `about ${scope.externalSubjectId}`])
      await t.admin.panelRefuses("erasePerson", { ...subject, reason: refused }, "InvalidInputError");
    const erasure = await t.admin.inPanel("erasePerson", { ...subject, reason });
    t.equal(erasure.failed, 0, "no account is busy");
    t.shows(erasure.person.receipts[0], { connectionId }, "the receipt");
    const after = await t.eventually("the erasure ends", read, ({ isStored }) => !isStored);
    const [receipt] = after.receipts;
    t.shows(receipt, { connectionId, erase: "SUCCEEDED" }, "the erase receipt");
    const counts = Object.fromEntries((receipt?.deleted ?? []).map(({ table, rows }) => [table, rows]));
    t.shows(counts, { connection: 1, provider_grant: 1 }, "what the receipt counts");
    const { items } = await t.admin.inPanel("searchAuditEntries", { first: 50, clientSlug });
    for (const action of ["Person viewed", "Erasure requested"])
      t.some(items, (entry) => entry.action === action, action);
    t.some(items, ({ summary }) => summary.includes(reason), "the reason is in the audit log");
    t.holds(!JSON.stringify(items).includes(scope.externalSubjectId), "the log does not name the user", items);
  }).with({ needs: ["operator", "provider", "panel-session"] });
  test("S4.admin.effect.connections: The panel lists connections by client, provider and state, needed reconnects first.", async (t) => {
    const { slug: clientSlug } = await t.admin.get("adminClient", { id: await t.clientId() });
    const { scope, connectionId: older } = await t.connect({ provider: "PROVIDER_A", account: "removed-app" });
    await t.untilStatus({ scope, connectionId: older }, "RECONNECT_REQUIRED");
    const ending = { provider: "PROVIDER_B", account: "refresh-token-ends" } as const;
    const { connectionId: newer } = await t.connect({ scope, ...ending });
    const listed = async (filter: object) => {
      const page = { clientSlug, first: 1, ...filter };
      const rows = await allOf((after) => t.admin.inPanel("adminConnections", { ...page, after }));
      return rows.map(({ id }) => id).filter((id) => id === older || id === newer);
    };
    t.equal(await listed({}), [older, newer], "all");
    t.equal(await listed({ provider: "PROVIDER_B" }), [newer], "at PROVIDER_B");
    t.equal(await listed({ status: "RECONNECT_REQUIRED", cause: "GRANT_ENDED" }), [older], "ended");
    t.equal(await listed({ tenantKey: scope.tenantKey, status: "CONNECTED" }), [newer], "connected, of the tenant");
    t.equal(await listed({ errorCode: "REVOKE_REJECTED" }), [], "with a code that no scan had");
    for (const { id: registrationId, provider } of await t.admin.get("adminRegistrations", {})) {
      // Other cases connect and disconnect accounts between the two reads.
      const { items } = await t.eventually(
        "as many as the registration has",
        async () => {
          const { connectionCount } = await t.admin.inPanel("registrationDetail", { id: registrationId });
          return { connectionCount, ...(await t.admin.inPanel("adminConnections", { registrationId, first: 100 })) };
        },
        (read) => read.items.length === Math.min(read.connectionCount, 100),
      );
      t.every(items, (row) => row.provider === provider, "connections of its provider");
    }
    const counts = await t.admin.inPanel("clientConnections", { id: await t.clientId() });
    const needed = counts.find(({ provider, status }) => provider === "PROVIDER_A" && status === "RECONNECT_REQUIRED");
    t.holds((needed?.count ?? 0) > 0, "the client's needed reconnects are counted", counts);
    t.equal(await listed({ reconnectForeseen: true }), [newer], "whose consent ends within a week");
    await t.admin.panelRefuses("adminConnections", { registrationId: clientSlug }, "BAD_USER_INPUT");
    t.equal((await listed({ externalSubjectId: scope.externalSubjectId })).length, 2, "of the user");
    t.holds((await t.admin.inPanel("adminConnectionCounts", { by: "CLIENT", clientSlug })).count > 1, "counted");
    await t.admin.panelRefuses("adminConnections", { tenantKey: scope.tenantKey }, "BAD_USER_INPUT");
  }).with({ needs: ["operator", "provider", "panel-session"] });
  test("S4.admin.effect.sdkVersions: The panel lists the versions of SDKs once each, and the clients of a version in pages.", async (t) => {
    const versions = await t.admin.inPanel("adminSdkVersions", {});
    const names = versions.map(({ library, version }) => `${library} ${version}`);
    t.equal(new Set(names).size, names.length, "each version once");
    t.every(versions, ({ clients }) => clients > 0, "only versions that clients call with");
    const unused = { library: "SDK", version: "0.0.0-unused" };
    const { items, pageInfo } = await t.admin.inPanel("adminClientsOfSdkVersion", unused);
    t.equal([items, pageInfo], [[], { endCursor: null, hasNextPage: false }], "an unused version");
    for (const args of [{ first: 0 }, { first: 101 }, { after: "x" }, { version: "9".repeat(257) }])
      await t.admin.panelRefuses("adminClientsOfSdkVersion", { ...unused, ...args }, "BAD_USER_INPUT");
  }).with({ needs: ["operator", "panel-session"] });
  test("S4.admin.effect.origin: Launch forms are accepted from an origin while it belongs to the client.", async (t) => {
    const id = await t.clientId();
    const origin = "https://second-origin.example.test";
    const session = await t.createSession();
    t.errorPage(await t.postLaunch(session, { origin }), [400, 403], "before it is added");
    await t.admin.get("addClientOrigin", { id, origin });
    t.equal((await t.postLaunch(session, { origin })).status, 303, "once it is added");
    const next = await t.createSession();
    await t.admin.get("removeClientOrigin", { id, origin });
    t.errorPage(await t.postLaunch(next, { origin }), [400, 403], "once it is removed");
    t.equal((await t.postLaunch(next)).status, 303, "the other origin is still accepted");
  });
  test("S4.admin.effect.returnUrl: A return URL is accepted while it is registered, byte for byte.", async (t) => {
    const url = `${t.application.webOrigin}/second-return?a=1&b=%7E`;
    const refused = () => t.refusesSession({ returnUrl: url }, "BAD_USER_INPUT");
    await refused();
    await t.addReturnUrl(url);
    await t.createSession({ returnUrl: url });
    await t.refusesSession({ returnUrl: url.replace("%7E", "~") }, "BAD_USER_INPUT");
    await t.removeReturnUrl(url);
    await refused();
  });
  test("S4.admin.effect.preview: A preview URL on a preview return path works like a registered one, while previews are enabled.", async (t) => {
    const { template } = await t.admin.get("previewTemplate", {});
    t.equal(template, t.target.previewTemplate, "the template");
    const [origin, path] = [String(template).replace("{label}", "branch-1"), "/preview/return"];
    const begin = () => t.call("createConnectSession", { input: t.connectInput({ returnUrl: origin + path }) });
    t.fails(await begin(), "BAD_USER_INPUT", "switched off, without the path");
    await t.setPreviews(false, path);
    t.fails(await begin(), "BAD_USER_INPUT", "switched off");
    await t.setPreviews(true);
    const session = t.value(await begin(), "switched on");
    const similar = { origin: `${origin}.evil.example` };
    t.errorPage(await t.postLaunch(session, similar), [400, 403], "a similar origin");
    const { visit } = await t.walkThrough(session, { account: "tidepool-studio" }, t.browser(), origin);
    t.equal(visit.location?.href.split("?")[0], origin + path, "the redirect goes to the preview");
    const late = t.value(await begin(), "another one");
    await t.setPreviews(false);
    t.fails(await begin(), "BAD_USER_INPUT", "switched off again");
    t.errorPage(await t.postLaunch(late, { origin }), [400, 403], "a launch form once it is switched off");
    await t.setPreviews(true);
    const id = await t.clientId();
    await t.admin.get("removeClientPreviewReturnPath", { id, path });
    t.fails(await begin(), "BAD_USER_INPUT", "without the path again");
  }).with({ needs: ["operator", "provider", "previews"] });
  test("S4.admin.effect.identity: The identity sign-in is enabled per client, with the return URLs at which it may end.", async (t) => {
    const id = await t.clientId();
    const begin = (returnUrl: string) => t.call("createIdpIdentitySession", { input: t.identityInput({ returnUrl }) });
    const first = t.application.identityReturnUrl;
    const off = await t.setIdentity(false);
    t.shows(off, { idpIdentityEnabled: false, identityReturnUrls: [first] }, "off, with its return URLs");
    t.fails(await begin(first), "CAPABILITY_UNAVAILABLE");
    const second = `${t.application.webOrigin}/second-identity-return`;
    const on = await t.setIdentity(true, [second]);
    t.shows(on, { idpIdentityEnabled: true, identityReturnUrls: [second] }, "on, with a different one");
    t.value(await begin(second), "the new one is accepted");
    t.fails(await begin(first), "BAD_USER_INPUT", "the old one is not");
    for (const returnUrls of [[], [second, second]])
      await t.admin.panelRefuses("setClientIdpIdentity", { id, enabled: true, returnUrls }, "InvalidInputError");
    await t.admin.panelRefuses("setClientIdpIdentity", { id: "unknown", enabled: true }, "NotFoundError");
    t.value(await begin(second), "the refused change had no effect");
  });
  test("S4.admin.effect.running-attempt: Removing a return URL ends the pending attempt that uses it.", async (t) => {
    const url = `${t.application.webOrigin}/short-lived`;
    await t.addReturnUrl(url);
    const session = await t.createSession({ returnUrl: url });
    await t.removeReturnUrl(url);
    await t.refusesSession({ returnUrl: url }, "BAD_USER_INPUT", "a new one may not use it");
    t.equal((await t.postLaunch(session)).location, null, "the launch stays on a page of the service");
    t.ends(await t.resultOf(session), "FAILED", "POLICY_CHANGED");
  });
});
