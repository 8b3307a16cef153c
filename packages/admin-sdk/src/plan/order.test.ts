import { LIMITS } from "@social-connect/contract";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import type { AdminClient } from "../_generated/types.ts";
import type { ClientDeclaration } from "../declaration/declaration.ts";
import { CLIENT_ID, fakeWriter, SHOP } from "../testing/clients.ts";
import { isSameSet } from "../writes/clientChange.ts";

// Many plans are made and applied in each test.
vi.setConfig({ testTimeout: 120_000 });

const ORIGINS = ["https://a.example", "https://b.example", "https://c.example", "https://d.example"];
const PATHS = ["/one", "/two?x=1", "/three"];
const URLS = ORIGINS.flatMap((origin) => PATHS.map((path) => origin + path));

const some = <Value>(values: readonly Value[], minLength = 0) => fc.shuffledSubarray([...values], { minLength });

/** Valid addresses of a client: each URL is on one of its origins. */
const addresses = some(ORIGINS, 1).chain((webOrigins) =>
  fc.record({
    webOrigins: fc.constant(webOrigins),
    returnUrls: some(
      URLS.filter((url) => webOrigins.includes(new URL(url).origin)),
      1,
    ),
  }),
);

const state = fc
  .record({
    addresses,
    displayName: fc.constantFrom("One", "Two"),
    enabled: fc.boolean(),
    tenantKeys: some(["t1", "t2", "t3"]),
    providers: some(["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] as const),
    capabilities: some(["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const),
    previewOriginsEnabled: fc.boolean(),
    previewReturnPaths: some(["/p1", "/p2"]),
  })
  .map(({ addresses: found, ...rest }) => ({ ...found, ...rest }));

it("for any client and any declaration, the plan reaches the declared state and every step is allowed", async () => {
  await fc.assert(
    fc.asyncProperty(state, state, fc.boolean(), async (from, to, exists) => {
      const { api, admin } = fakeWriter();
      if (exists) api.put({ ...SHOP, ...from });
      const declaration: ClientDeclaration = {
        slug: "shop",
        ...to,
        returnUrls: to.returnUrls.map((url) => ({ url, confirmedNoOnwardRedirect: true })),
      };
      const result = await admin.apply(await admin.plan(declaration), { allowDestructive: true });
      expect(result.steps.map(({ outcome }) => outcome).filter((outcome) => outcome !== "applied")).toEqual([]);
      const [client] = [...api.clients.values()];
      expectState(client, to);
      expect((await admin.plan(declaration)).steps).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

function expectState(client: AdminClient | undefined, wanted: Partial<AdminClient>): void {
  for (const [field, value] of Object.entries(wanted)) {
    const found: unknown = Reflect.get(client ?? {}, field);
    if (Array.isArray(value) && Array.isArray(found)) expect([field, isSameSet(found, value)]).toEqual([field, true]);
    else expect([field, found]).toEqual([field, value]);
  }
}

it("changes full lists without exceeding their limits", async () => {
  const { api, admin } = fakeWriter();
  const names = (letter: string) => Array.from({ length: 100 }, (_, index) => `https://${letter}${index}.example`);
  const [before, after] = [names("a"), names("b")];
  api.put({
    ...SHOP,
    webOrigins: before,
    returnUrls: before.map((origin) => `${origin}/r`),
    previewReturnPaths: PATHS,
  });
  const declaration: ClientDeclaration = {
    slug: "shop",
    webOrigins: after,
    returnUrls: after.map((origin) => ({ url: `${origin}/r`, confirmedNoOnwardRedirect: true })),
  };
  const result = await admin.apply(await admin.plan(declaration), { allowDestructive: true });
  expect(result.complete).toBe(true);
  expect(api.clients.get(CLIENT_ID)?.returnUrls).toHaveLength(100);
});

it.each([
  ["tenants", 500, 0, ["createClient", "addClientTenantKey"]],
  ["addresses", 0, 100, ["createClient", "addClientOrigin", "addClientReturnUrl"]],
])("creates a client with too many %s for one request in several steps", async (_, tenants, urls, kinds) => {
  const { api, admin } = fakeWriter();
  const origins = Array.from({ length: Math.max(urls, 1) }, (_value, index) => `https://o${index}.example`);
  const declaration: ClientDeclaration = {
    slug: "large",
    displayName: "Large",
    webOrigins: origins,
    returnUrls: origins.map((origin) => ({ url: `${origin}/${"r".repeat(1_000)}`, confirmedNoOnwardRedirect: true })),
    tenantKeys: Array.from({ length: tenants }, (_value, index) => `${"a-tenant-of-many-".repeat(7)}${index}`),
    providers: [],
    capabilities: [],
  };
  const plan = await admin.plan(declaration);
  expect([...new Set(plan.steps.map(({ operation }) => operation))]).toEqual(kinds);
  expect(JSON.stringify(plan.steps[0]).length).toBeLessThan(LIMITS.bodyBytes);
  expect(await admin.apply(plan)).toMatchObject({ complete: true });
  expect([...api.clients.values()][0]?.tenantKeys).toHaveLength(tenants);
});

it("removes tenants from a full list before it adds others", async () => {
  const { api, admin } = fakeWriter();
  const tenants = Array.from({ length: 10_000 }, (_, index) => `tenant-${index}`);
  api.put({ ...SHOP, tenantKeys: tenants });
  const { steps } = await admin.plan({ slug: "shop", tenantKeys: [...tenants.slice(2), "new-1", "new-2"] });
  expect(steps.map(({ operation }) => operation)).toEqual([
    "removeClientTenantKey",
    "removeClientTenantKey",
    "addClientTenantKey",
    "addClientTenantKey",
  ]);
});
