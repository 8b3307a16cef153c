import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite } from "./build/buildSite.ts";
import { miniSearch } from "./site/search.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Ends a hang. A busy machine takes several times as long. */
const BUILD_TIMEOUT_MS = 600_000;
const MOST_MISSES = 5;

/** What people type, and the page that answers it. */
const QUERIES = [
  ["cors", "reference/faq"],
  ["gdpr", "operations/personal-data"],
  ["redirect uri mismatch", "how-to/live-youtube"],
  ["logout", "reference/faq"],
  ["php", "how-to/other-languages"],
  ["pagination", "how-to/show-posts"],
  ["refresh token", "explanation/credentials"],
  ["test account", "how-to/test-your-application"],
  ["helm", "reference/faq"],
  ["redis", "reference/faq"],
  ["webhooks", "reference/faq"],
  ["docker", "operations/deployment"],
  ["kubernetes", "operations/deployment"],
  ["docker compose", "operations/deployment"],
  ["python", "how-to/other-languages"],
  ["curl", "how-to/other-languages"],
  ["express", "how-to/express"],
  ["nextjs", "how-to/nextjs"],
  ["nestjs", "how-to/nestjs"],
  ["fastify", "how-to/fastify"],
  ["hono", "how-to/hono"],
  ["popup", "how-to/connect-an-account"],
  ["spa", "how-to/single-page-application"],
  ["rate limit", "reference/errors/RATE_LIMITED"],
  ["retry", "reference/retries"],
  ["rotate keys", "how-to/rotate-keys"],
  ["leaked key", "how-to/rotate-keys"],
  ["backup", "operations/backup"],
  ["restore", "operations/backup"],
  ["postgres", "operations/database"],
  ["pgbouncer", "operations/database"],
  ["certificate authority", "operations/deployment"],
  ["upgrade", "operations/upgrades"],
  ["rollback", "operations/upgrades"],
  ["prometheus", "operations/metrics"],
  ["opentelemetry", "how-to/logs-and-traces"],
  ["environment variables", "reference/settings"],
  ["openid connect", "how-to/openid-provider"],
  ["keycloak", "reference/openid-providers"],
  ["auth0", "reference/openid-providers"],
  ["sso", "how-to/identity-handoff"],
  ["reconnect", "how-to/reconnect"],
  ["disconnect", "how-to/disconnect"],
  ["delete user data", "operations/personal-data"],
  ["privacy", "operations/personal-data"],
  ["youtube", "how-to/live-youtube"],
  ["tiktok", "how-to/live-tiktok"],
  ["instagram", "how-to/live-instagram"],
  ["playwright", "how-to/test-with-mocks"],
  ["jest", "how-to/test-with-mocks"],
  ["logo", "how-to/branding"],
  ["translations", "how-to/branding"],
  ["why are posts missing", "reference/faq"],
  ["NOT_SCANNED", "how-to/show-posts"],
  ["helmet", "how-to/express"],
  ["encryption key", "operations/encryption-keys"],
  ["admin panel", "how-to/admin-panel"],
  ["nginx", "operations/deployment"],
  ["polling", "how-to/replace-polling"],
  ["mobile app", "reference/faq"],
] as const;

const outDir = mkdtempSync(join(tmpdir(), "social-connect-search-"));
let index: MiniSearch;

/** As the search box of VitePress loads the built index. */
async function loadIndex(): Promise<MiniSearch> {
  const chunks = join(outDir, "assets/chunks");
  const name = readdirSync(chunks).find((file) => file.startsWith("@localSearchIndexroot")) ?? "";
  const { default: json } = await import(/* @vite-ignore */ pathToFileURL(join(chunks, name)).href);
  return MiniSearch.loadJSON(json, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: miniSearch.searchOptions,
    ...miniSearch.options,
  });
}

function pagesFor(query: string): readonly string[] {
  const routes = index.search(query).map(({ id }) =>
    String(id)
      .replace(/#.*/, "")
      .replace(/\.html$/, "")
      .slice(1),
  );
  return [...new Set(routes)];
}

beforeAll(async () => {
  await buildSite({ current: { name: "next", root: ROOT }, releases: [], outDir, base: "/", repository: null });
  index = await loadIndex();
}, BUILD_TIMEOUT_MS);
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

test("what people type finds its page first", () => {
  expect(new Set(QUERIES.map(([query]) => query)).size).toBe(60);
  const misses = QUERIES.flatMap(([query, page]) => {
    const [first] = pagesFor(query);
    return first === page ? [] : [`${query}: ${first} instead of ${page}`];
  });
  expect(misses.length, misses.join("\n")).toBeLessThanOrEqual(MOST_MISSES);
});

test("a short word finds no other word that is spelled like it", () => {
  expect(pagesFor("cors").length).toBeGreaterThan(0);
  expect(pagesFor("corz")).toEqual([]);
  // The control: in a longer word a mistake is corrected.
  expect(pagesFor("reconect")).toContain("how-to/reconnect");
});

test("generated pages come after the others", () => {
  const isGenerated = (page: string) => /^reference\/(?:packages|graphql)\//.test(page);
  const pages = pagesFor("launchPage");
  expect(pages.some(isGenerated)).toBe(true);
  expect(isGenerated(pages[0] ?? "")).toBe(false);
});
