import type { CaseContext } from "../harness/context.ts";
import { defineCases } from "../harness/defineCase.ts";
import { allOf } from "../wire/pages.ts";
import { type Connected, connect } from "./support/connections.ts";
import { refusesOtherApplication } from "./support/tenants.ts";
import { flip } from "./support/texts.ts";

export const CONNECTION_PAGING_CASES = defineCases([
  {
    id: "S4.connections.empty",
    title: "A subject without connections gets an empty page without a cursor.",
    readSafe: true,
    needs: ["tenant"],
    reaches: ["operation:connections"],
    run: async (t) => {
      const page = await t.get("connections", { scope: t.scope() });
      t.equal([page.items, page.pageInfo.hasNextPage], [[], false], "the page");
    },
  },
  {
    id: "S4.connections.paging",
    title: "Paging through connections returns every row once, in pages of at most `first`.",
    needs: ["provider"],
    reaches: ["limit:connections-page", "rule:connections.first.range"],
    run: async (t) => {
      const { scope, ids } = await connectFive(t);
      for (const first of [1, 2, 5, 100]) {
        const rows = await allOf(async (after) => {
          const page = await t.get("connections", { scope, first, after });
          t.holds(page.items.length <= first, `at most ${first} items`, page.items.length);
          const { hasNextPage, endCursor } = page.pageInfo;
          t.holds(!hasNextPage || endCursor !== null, "a page with a next one has a cursor");
          return page;
        });
        t.equal(rows.map((row) => row.id).toSorted(), ids.toSorted(), `every row once, ${first} a page`);
      }
      for (const first of [0, -1, 101, 2_147_483_647])
        await t.refuses("connections", { scope, first }, "BAD_USER_INPUT", `first ${first}`);
    },
  },
  {
    id: "S4.connections.default-page",
    title: "Without `first`, a page has 20 rows.",
    needs: ["provider"],
    reaches: ["rule:connections.first.default"],
    run: async (t) => {
      const { scope } = await connectFive(t);
      t.equal((await t.get("connections", { scope })).items.length, 5, "five rows fit");
      t.equal((await t.get("connections", { scope, first: null })).items.length, 5, "null is the same as absent");
      const accounts = [
        "linen-and-clay",
        "city-swifts",
        "rate-limited",
        "slow",
        "flaky-5xx",
        "deleted-post",
        "private-post",
        "comments-off",
      ];
      for (const account of accounts) await connect(t, { scope, account, capabilities: ["PROFILE"] });
      for (const account of [
        "paper-cranes",
        "unicode",
        "empty",
        "thousand-posts",
        "rotating-refresh",
        "slow",
        "deleted-post",
        "private-post",
      ]) {
        await connect(t, { scope, provider: "PROVIDER_B", account, capabilities: ["PROFILE"] });
      }
      const page = await t.get("connections", { scope });
      t.equal([page.items.length, page.pageInfo.hasNextPage], [20, true], "21 rows do not");
      const rest = await t.get("connections", { scope, after: page.pageInfo.endCursor });
      t.equal([rest.items.length, rest.pageInfo.hasNextPage], [1, false], "the last one is on the next page");
    },
  },
  {
    id: "S4.connections.cursor",
    title:
      "A cursor of connections is opaque and bound to its subject and application: altered or foreign it is refused.",
    needs: ["provider", "operator"],
    reaches: ["rule:connections.after"],
    run: async (t) => {
      const { scope, ids } = await connectFive(t);
      const { pageInfo } = await t.get("connections", { scope, first: 2 });
      const cursor = pageInfo.endCursor ?? "";
      const plain = Buffer.from(cursor, "base64url").toString("latin1");
      for (const id of ids) t.holds(!plain.includes(id), "it contains no readable id");
      for (const after of ["", "x", cursor.slice(1), `${cursor}A`, flip(cursor), "a".repeat(5_000)]) {
        await t.refuses("connections", { scope, first: 2, after }, "BAD_USER_INPUT", `cursor ${after.slice(0, 12)}…`);
      }
      const next = { scope, first: 2, after: cursor };
      await t.refuses("connections", { ...next, scope: t.scope() }, "BAD_USER_INPUT", "another subject");
      await refusesOtherApplication(t, "connections", next, "BAD_USER_INPUT");
      t.equal((await t.get("connections", next)).items.length, 2, "its own");
    },
  },
]);

async function connectFive(t: CaseContext): Promise<{ scope: Connected["scope"]; ids: string[] }> {
  const scope = t.scope();
  const ids: string[] = [];
  for (const account of ["tidepool-studio", "unicode", "empty", "hidden-likes", "no-shares"]) {
    ids.push((await connect(t, { scope, account, capabilities: ["PROFILE"] })).connectionId);
  }
  return { scope, ids };
}
