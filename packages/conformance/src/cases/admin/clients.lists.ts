import { BURST, concurrently } from "../../context/findings.ts";
import type { Steps } from "../../context/steps.ts";
import { defineCases, pairsOf } from "../../harness/defineCase.ts";

const BAD_PATHS: Readonly<Record<string, (good: string) => string>> = {
  relative: () => "return",
  empty: () => "",
  "two-slashes": () => "//evil.example/return",
  absolute: () => "https://evil.example/return",
  query: () => "/return?a=1",
  fragment: () => "/return#",
  "dot-segment": () => "/a/../return",
  backslash: () => "/\\evil.example",
  space: () => "/re turn",
  "line-break": () => "/return\n",
};

/** Strings that a lax comparison would accept as an origin. `good` is https on a name. */
const BAD_ORIGINS: Readonly<Record<string, (good: string) => string>> = {
  "trailing-slash": (good) => `${good}/`,
  path: (good) => `${good}/a`,
  query: (good) => `${good}?a`,
  fragment: (good) => `${good}#`,
  "default-port": (good) => `${good}:443`,
  "upper-case-host": (good) => good.toUpperCase().replace("HTTPS", "https"),
  "upper-case-scheme": (good) => good.replace("https", "HTTPS"),
  "user-info": (good) => good.replace("://", "://user@"),
  backslash: (good) => good.replace("://", ":\\\\"),
  http: (good) => good.replace("https", "http"),
  "other-scheme": (good) => good.replace("https", "ftp"),
  "no-scheme": (good) => good.replace("https://", ""),
  wildcard: (good) => good.replace("://", "://*."),
  "not-ascii": (good) => good.replace("://", "://ü"),
  "leading-space": (good) => ` ${good}`,
  "line-break": (good) => `${good}\n`,
  "port-too-large": (good) => `${good}:99999`,
  "port-empty": (good) => `${good}:`,
  "ends-with-dot": (good) => `${good}.`,
  null: () => "null",
  empty: () => "",
  javascript: () => "javascript:alert(1)",
  "2000-characters": (good) => good.replace("://", `://${"a.".repeat(1_000)}`),
};

const BAD_RETURN_URLS: Readonly<Record<string, (origin: string) => string>> = {
  "empty-fragment": (origin) => `${origin}/new#`,
  fragment: (origin) => `${origin}/new#top`,
  "ss-parameter": (origin) => `${origin}/new?ss_status=COMPLETED`,
  "ss-parameter-second": (origin) => `${origin}/new?a=1&ss_session_id=x`,
  "ss-parameter-encoded": (origin) => `${origin}/new?%73s_x=1`,
  "other-host": () => "https://elsewhere.example.test/new",
  "other-port": (origin) => `${origin}:9443/new`,
  "other-scheme": (origin) => `${origin.replace("https", "http")}/new`,
  "sub-domain": (origin) => `${origin.replace("://", "://a.")}/new`,
  "longer-host": (origin) => `${origin}.evil.example/new`,
  "host-behind-at": (origin) => `${origin}@evil.example/new`,
  "user-info": (origin) => `${origin.replace("://", "://user:pass@")}/new`,
  backslash: (origin) => `${origin}\\new`,
  "dot-segment": (origin) => `${origin}/a/../new`,
  "no-path": (origin) => origin,
  relative: () => "/new",
  javascript: () => "javascript:alert(1)",
  empty: () => "",
  "leading-space": (origin) => ` ${origin}/new`,
  "line-break": (origin) => `${origin}/new\n`,
  "upper-case-host": (origin) => `${origin.toUpperCase().replace("HTTPS", "https")}/new`,
  "not-ascii": (origin) => `${origin}/ü`,
  "5000-characters": (origin) => `${origin}/${"a".repeat(5_000)}`,
};

/** Each list of a client with the operation that adds to it, its argument, and a change that makes a good value bad. */
const BAD_VALUES = [
  ...pairsOf([["previewReturnPaths", "addClientPreviewReturnPath", "path"]], Object.entries(BAD_PATHS)),
  ...pairsOf([["origins", "addClientOrigin", "origin"]], Object.entries(BAD_ORIGINS)),
  ...pairsOf([["returnUrls", "addClientReturnUrl", "url"]], Object.entries(BAD_RETURN_URLS)),
].map(([list, bad]) => [...list, ...bad] as const);

export const ADMIN_CLIENT_LIST_CASES = defineCases({ needs: ["admin"], application: "none" }, (test) => {
  test("S4.admin.tenantKeys: A tenant is added once and removed once; it has 1 to 128 characters.", async (t) => {
    const { id } = await t.admin.client({ tenantKeys: [] });
    for (const tenantKey of ["a", "x".repeat(128), "with space", "テナント", "🦜", "Tenant", "tenant"]) {
      const added = await t.admin.get("addClientTenantKey", { id, tenantKey });
      t.equal(added.tenantKeys.at(-1), tenantKey, "it is added");
      await t.admin.refuses("addClientTenantKey", { id, tenantKey }, "CONFLICT", "ALREADY_PRESENT");
    }
    for (const tenantKey of ["", "x".repeat(129), "a\0b", "\udc00"])
      await t.admin.refusesArguments("addClientTenantKey", { id, tenantKey }, ["tenantKey"]);
    const left = await t.admin.get("removeClientTenantKey", { id, tenantKey: "Tenant" });
    t.holds(!left.tenantKeys.includes("Tenant") && left.tenantKeys.includes("tenant"), "exactly that one");
    await t.admin.refuses("removeClientTenantKey", { id, tenantKey: "Tenant" }, "NOT_FOUND");
    t.equal(await t.admin.get("adminClient", { id }), left, "as read back");
    // Including the last one: a client without tenants connects no account.
    for (const tenantKey of left.tenantKeys) await t.admin.get("removeClientTenantKey", { id, tenantKey });
    t.equal((await t.admin.get("adminClient", { id })).tenantKeys, [], "all are removed");
  });
  test("S4.admin.previewReturnPaths: Preview origins are switched, and a preview return path is added once and removed once.", async (t) => {
    const { id } = await t.admin.client();
    for (const enabled of [true, true, false]) {
      const client = await t.admin.get("setClientPreviewOrigins", { id, enabled });
      t.equal(client.previewOriginsEnabled, enabled, "the switch");
    }
    for (const path of ["/", "/return", "/return/", "/a/b-c_d~e"]) {
      const added = await t.admin.get("addClientPreviewReturnPath", { id, path });
      t.equal(added.previewReturnPaths.at(-1), path, "it is added");
      await t.admin.refuses("addClientPreviewReturnPath", { id, path }, "CONFLICT", "ALREADY_PRESENT");
    }
    const left = await t.admin.get("removeClientPreviewReturnPath", { id, path: "/return" });
    t.equal([...left.previewReturnPaths].sort(), ["/", "/a/b-c_d~e", "/return/"], "exactly that one");
    await t.admin.refuses("removeClientPreviewReturnPath", { id, path: "/return" }, "NOT_FOUND");
    t.equal(await t.admin.get("adminClient", { id }), left, "as read back");
  });
  test("S4.admin.origins: An origin is added once and removed once; the last origin and one with a return URL stay.", async (t) => {
    const { id, webOrigins } = await t.admin.client();
    const [used = "", spare = ""] = webOrigins;
    const origin = "https://added.example.test:8444";
    const added = await t.admin.get("addClientOrigin", { id, origin });
    t.equal([...added.webOrigins].sort(), [...webOrigins, origin].sort(), "it is added");
    await t.admin.refuses("addClientOrigin", { id, origin }, "CONFLICT", "ALREADY_PRESENT");
    await t.admin.refuses("removeClientOrigin", { id, origin: used }, "CONFLICT", "ORIGIN_IN_USE");
    await t.admin.refuses("removeClientOrigin", { id, origin: "https://never.example.test" }, "NOT_FOUND");
    await t.admin.refuses("removeClientOrigin", { id, origin: `${origin}/` }, "NOT_FOUND");
    for (const gone of [origin, spare]) await t.admin.get("removeClientOrigin", { id, origin: gone });
    await t.admin.refuses("removeClientOrigin", { id, origin: spare }, "NOT_FOUND");
    await t.admin.refuses("removeClientOrigin", { id, origin: used }, "CONFLICT", "LAST_ORIGIN");
    t.equal((await t.admin.get("adminClient", { id })).webOrigins, [used], "the remaining origins");
  });
  test("S4.admin.origins.identity: An origin with an identity return URL stays, too.", async (t) => {
    const { id, webOrigins } = await t.admin.client();
    const [, spare = ""] = webOrigins;
    await t.admin.inPanel("setClientIdpIdentity", { id, enabled: true, returnUrls: [`${spare}/identity`] });
    await t.admin.refuses("removeClientOrigin", { id, origin: spare }, "CONFLICT", "ORIGIN_IN_USE");
    await t.admin.inPanel("setClientIdpIdentity", { id, enabled: false, returnUrls: [] });
    await t.admin.get("removeClientOrigin", { id, origin: spare });
  });
  test("S4.admin.returnUrls: A return URL on a client's origin is added once, when confirmed, and removed once; the last stays.", async (t) => {
    const client = await t.admin.client();
    const { id } = client;
    const url = `${client.webOrigins[1]}/new?class=a&SS_x=1&boss_=2`;
    for (const confirmedNoOnwardRedirect of [false, null, undefined]) {
      const args = { id, url, confirmedNoOnwardRedirect };
      await t.admin.refusesArguments("addClientReturnUrl", args, ["confirmed", "url"]);
    }
    const confirmed = { confirmedNoOnwardRedirect: true };
    const added = await t.admin.get("addClientReturnUrl", { id, url, ...confirmed });
    t.equal([...added.returnUrls].sort(), [...client.returnUrls, url].sort(), "it is added");
    await t.admin.refuses("addClientReturnUrl", { id, url, ...confirmed }, "CONFLICT", "ALREADY_PRESENT");
    await t.admin.refuses("removeClientReturnUrl", { id, url: `${url}&` }, "NOT_FOUND");
    await t.admin.get("removeClientReturnUrl", { id, url });
    await t.admin.refuses("removeClientReturnUrl", { id, url }, "NOT_FOUND");
    const [last = "", other = ""] = client.returnUrls;
    await t.admin.get("removeClientReturnUrl", { id, url: other });
    await t.admin.refuses("removeClientReturnUrl", { id, url: last }, "CONFLICT", "LAST_RETURN_URL");
    t.equal((await t.admin.get("adminClient", { id })).returnUrls, [last], "the remaining URLs");
  });
  for (const [list, name, field, reason, change] of BAD_VALUES)
    test(`S4.admin.${list}.bad-${reason}: A value that may not be in the ${list} of a client (${reason}) is BAD_USER_INPUT.`, async (t) => {
      const client = await t.admin.client();
      const { id, webOrigins } = client;
      const args = (value: string) => ({ id, [field]: value, confirmedNoOnwardRedirect: true });
      const good = { path: "/good", origin: "https://exact.example.test", url: `${webOrigins[0]}/new` }[field];
      const bad = change(field === "url" ? (webOrigins[0] ?? "") : good);
      await t.admin.refusesArguments(name, args(bad), [field, "Url"]);
      if (field === "url") {
        const identity = { id, enabled: true, returnUrls: [bad] };
        await t.admin.panelRefuses("setClientIdpIdentity", identity, "InvalidInputError");
      }
      t.equal(await t.admin.get("adminClient", { id }), client, "nothing changed");
      await t.admin.get(name, args(good) as never);
    });
  test("S7.admin.parallel-changes: All of twenty different concurrent changes are applied, and one of twenty equal changes is.", async (t) => {
    const { id } = await t.admin.client({ tenantKeys: [] });
    const keys = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
    await Promise.all(keys.map((tenantKey) => added(t, id, tenantKey)));
    t.equal([...(await t.admin.get("adminClient", { id })).tenantKeys].sort(), [...keys].sort(), "all twenty");
    const outcomes = await concurrently(20, () => t.admin.call("addClientTenantKey", { id, tenantKey: "same" }));
    t.exactly(1, outcomes, ["CONFLICT ALREADY_PRESENT", "CONFLICT ROW_BUSY"]);
    t.equal((await t.admin.get("adminClient", { id })).tenantKeys.length, 21, "and one exists");
  }).with({ holds: [BURST] });
  test("S7.admin.busy-row: While a transaction holds a client, a change of it is ROW_BUSY; reads and other clients do not wait.", async (t) => {
    const client = await t.admin.client();
    const other = await t.admin.client();
    const { id } = client;
    await t.driver("storage").whileClientIsBusy(id, async () => {
      const busy = t.admin.refuses("setClientDisplayName", { id, displayName: "Busy" }, "CONFLICT", "ROW_BUSY");
      const inPanel = t.admin.panelRefuses("issueClientCredential", { id }, "ConflictError", "ROW_BUSY");
      t.equal(await t.admin.get("adminClient", { id }), client, "it can be read");
      await t.admin.get("setClientDisplayName", { id: other.id, displayName: "Free" });
      await Promise.all([busy, inPanel]);
    });
    t.equal(await t.admin.get("adminClient", { id }), client, "nothing changed");
    await t.admin.get("setClientDisplayName", { id, displayName: "Once more" });
  }).with({ needs: ["admin", "storage"] });
});

/** A row under concurrent changes may be busy once. */
async function added(t: Steps, id: string, tenantKey: string): Promise<void> {
  const first = await t.admin.call("addClientTenantKey", { id, tenantKey });
  if (!first.ok && first.reason === "ROW_BUSY") await t.admin.get("addClientTenantKey", { id, tenantKey });
  else t.holds(first.ok, `${tenantKey} is added`, first);
}
