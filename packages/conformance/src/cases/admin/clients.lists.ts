import { BURST, concurrently } from "../../context/findings.ts";
import type { Steps } from "../../context/steps.ts";
import { caseForEach, defineCasesWith } from "../../harness/defineCase.ts";
import { refusesArguments } from "./support/findings.ts";

const BAD_PATHS: Readonly<Record<string, string>> = {
  relative: "return",
  empty: "",
  "two-slashes": "//evil.example/return",
  absolute: "https://evil.example/return",
  query: "/return?a=1",
  fragment: "/return#",
  "dot-segment": "/a/../return",
  backslash: "/\\evil.example",
  space: "/re turn",
  "line-break": "/return\n",
};

export const ADMIN_CLIENT_LIST_CASES = defineCasesWith({ needs: ["admin"], application: "none" })({
  "S4.admin.tenantKeys": {
    title: "A tenant is added once and removed once; it has 1 to 128 characters.",
    run: async (t) => {
      const { id } = await t.admin.client({ tenantKeys: [] });
      for (const tenantKey of ["a", "x".repeat(128), "with space", "テナント", "🦜", "Tenant", "tenant"]) {
        const added = await t.admin.get("addClientTenantKey", { id, tenantKey });
        t.equal(added.tenantKeys.at(-1), tenantKey, "it is added");
        await t.admin.refuses("addClientTenantKey", { id, tenantKey }, "CONFLICT", "ALREADY_PRESENT");
      }
      for (const tenantKey of ["", "x".repeat(129), "a\0b", "\udc00"])
        await refusesArguments(t, "addClientTenantKey", { id, tenantKey }, ["tenantKey"]);
      const left = await t.admin.get("removeClientTenantKey", { id, tenantKey: "Tenant" });
      t.holds(!left.tenantKeys.includes("Tenant") && left.tenantKeys.includes("tenant"), "exactly that one");
      await t.admin.refuses("removeClientTenantKey", { id, tenantKey: "Tenant" }, "NOT_FOUND");
      t.equal(await t.admin.get("adminClient", { id }), left, "as read back");
      // Including the last one: a client without tenants connects no account.
      for (const tenantKey of left.tenantKeys) await t.admin.get("removeClientTenantKey", { id, tenantKey });
      t.equal((await t.admin.get("adminClient", { id })).tenantKeys, [], "all are removed");
    },
  },
  "S4.admin.previewReturnPaths": {
    title: "Preview origins are switched, and a preview return path is added once and removed once.",
    run: async (t) => {
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
    },
  },
  ...caseForEach(Object.entries(BAD_PATHS), ([name, path]) => ({
    id: `S4.admin.previewReturnPaths.bad-${name}`,
    title: `A path that is not absolute and normalized (${name}) is BAD_USER_INPUT.`,
    run: async (t) => {
      const client = await t.admin.client();
      await refusesArguments(t, "addClientPreviewReturnPath", { id: client.id, path }, ["path"]);
      t.equal(await t.admin.get("adminClient", { id: client.id }), client, "nothing changed");
      await t.admin.get("addClientPreviewReturnPath", { id: client.id, path: "/good" });
    },
  })),
  "S7.admin.parallel-changes": {
    title: "All of twenty different concurrent changes are applied, and one of twenty equal changes is.",
    holds: [BURST],
    run: async (t) => {
      const { id } = await t.admin.client({ tenantKeys: [] });
      const keys = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
      await Promise.all(keys.map((tenantKey) => added(t, id, tenantKey)));
      t.equal([...(await t.admin.get("adminClient", { id })).tenantKeys].sort(), [...keys].sort(), "all twenty");
      const outcomes = await concurrently(20, () => t.admin.call("addClientTenantKey", { id, tenantKey: "same" }));
      t.equal(outcomes.filter((outcome) => outcome.ok).length, 1, "the applied one");
      const why = outcomes.flatMap((outcome) => (outcome.ok ? [] : [`${outcome.code} ${outcome.reason}`]));
      for (const one of why) t.oneOf(one, ["CONFLICT ALREADY_PRESENT", "CONFLICT ROW_BUSY"], "the others");
      t.equal((await t.admin.get("adminClient", { id })).tenantKeys.length, 21, "and one exists");
    },
  },
  "S7.admin.busy-row": {
    title:
      "While another transaction holds a client, a change of it is ROW_BUSY; reading it and changing another client is not delayed.",
    needs: ["admin", "storage"],
    run: async (t) => {
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
    },
  },
});

/** A row under concurrent changes may be busy once. */
async function added(t: Steps, id: string, tenantKey: string): Promise<void> {
  const first = await t.admin.call("addClientTenantKey", { id, tenantKey });
  if (!first.ok && first.reason === "ROW_BUSY") await t.admin.get("addClientTenantKey", { id, tenantKey });
  else t.holds(first.ok, `${tenantKey} is added`, first);
}
