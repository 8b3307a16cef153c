import { describe, expect, it } from "vitest";
import type { ClientDeclaration } from "../declaration/declaration.ts";
import { parseDeclarations } from "../declaration/parseDeclarations.ts";
import { CLIENT_ID, fakeShop, fakeWriter, NEW_CLUB } from "../testing/clients.ts";
import { describePlan } from "./describe.ts";
import { isDestructive } from "./plan.ts";

const CONFIRMED = { confirmedNoOnwardRedirect: true } as const;

describe("a plan for a service in live mode", () => {
  const LOCAL = "http://localhost:3000";
  const club = {
    ...NEW_CLUB,
    webOrigins: [...(NEW_CLUB.webOrigins ?? []), LOCAL],
    returnUrls: [...(NEW_CLUB.returnUrls ?? []), { url: `${LOCAL}/return`, ...CONFIRMED }],
  };

  it.each<[string, ClientDeclaration]>([
    ["a new client", club],
    ["an existing client", { slug: "shop", webOrigins: ["https://shop.example", "https://old.example", LOCAL] }],
  ])("refuses http on a loopback host for %s, and names each place", async (_, declaration) => {
    const { api, admin } = fakeShop();
    const planned = await admin.plan(declaration).catch((error: Error) => expect.fail(error.message));
    expect(planned.steps.length).toBeGreaterThan(0);
    api.mode = "live";
    const places = declaration === club ? ["webOrigins[1]", "returnUrls[1]"] : ["webOrigins[2]"];
    const problems = places.map((place) =>
      expect.objectContaining({ place, message: expect.stringMatching(/https.*live mode/) }),
    );
    await expect(admin.plan(declaration)).rejects.toMatchObject({ problems });
    expect(api.writes()).toEqual([]);
  });

  it("leaves an http origin that the client has, and asks nothing where every address is https", async () => {
    const { api, admin } = fakeShop();
    api.mode = "live";
    const { webOrigins } = api.put({
      id: CLIENT_ID,
      webOrigins: ["https://shop.example", "https://old.example", LOCAL],
    });
    expect((await admin.plan({ slug: "shop", webOrigins })).steps).toEqual([]);
    await admin.plan(NEW_CLUB);
    expect(api.of("previewTemplate")).toEqual([]);
  });
});

describe("a plan", () => {
  it("is empty for a client in the declared state, in any order of its lists, and only reads", async () => {
    const { api, admin } = fakeShop();
    const plan = await admin.plan({
      slug: "shop",
      tenantKeys: ["globex", "acme"],
      providers: ["PROVIDER_B", "PROVIDER_A"],
    });
    expect(plan).toMatchObject({ steps: [], obstacles: [], client: { id: CLIENT_ID } });
    expect(describePlan(plan)).toBe("client shop: up to date, nothing to do");
    expect(api.writes()).toEqual([]);
  });

  it("does not change omitted fields", async () => {
    const { admin } = fakeShop();
    const { steps } = await admin.plan({ slug: "shop", displayName: "Shop" });
    expect(steps).toEqual([
      { operation: "setClientDisplayName", displayName: "Shop", before: "The Shop", destructive: false },
    ]);
  });

  it("changes only the declared branding; null removes it", async () => {
    const { api, admin } = fakeShop();
    api.put({ id: CLIENT_ID, brandColor: "#0a5c36", privacyUrl: "https://shop.example/privacy" });
    const plan = await admin.plan({ slug: "shop", brandColor: null, supportAddress: "mailto:help@shop.example" });
    expect(plan.steps).toMatchObject([
      {
        operation: "setClientBranding",
        branding: {
          brandColor: null,
          supportAddress: "mailto:help@shop.example",
          privacyUrl: "https://shop.example/privacy",
        },
        before: { brandColor: "#0a5c36", supportAddress: null },
        destructive: false,
      },
    ]);
    expect(describePlan(plan)).toContain("#0a5c36 → none");
    expect(await admin.apply(plan)).toMatchObject({ complete: true });
    expect(await admin.client(CLIENT_ID)).toMatchObject({
      brandColor: null,
      supportAddress: "mailto:help@shop.example",
    });
    expect(() => parseDeclarations("slug: shop\nlogo: ./logo.png\n")).toThrow("data URL");
  });

  it("creates a missing client, and then makes the changes that a creation cannot contain", async () => {
    const { admin } = fakeWriter();
    const plan = await admin.plan({
      ...NEW_CLUB,
      enabled: false,
      previewOriginsEnabled: true,
      previewReturnPaths: ["/r"],
    });
    expect(plan.client).toBeNull();
    expect(plan.steps.map(({ operation }) => operation)).toEqual([
      "createClient",
      "setClientEnabled",
      "addClientPreviewReturnPath",
      "setClientPreviewOrigins",
    ]);
    expect(describePlan(plan)).toContain("client club will be created");
  });

  it("orders changes of addresses by the service's rules: additions first, an origin after its URLs", async () => {
    const { admin } = fakeShop();
    const plan = await admin.plan({
      slug: "shop",
      webOrigins: ["https://new.example"],
      returnUrls: [{ url: "https://new.example/connected", ...CONFIRMED }],
    });
    expect(plan.steps.map(({ operation }) => operation)).toEqual([
      "addClientOrigin",
      "addClientReturnUrl",
      "removeClientReturnUrl",
      "removeClientOrigin",
      "removeClientReturnUrl",
      "removeClientOrigin",
    ]);
    expect(isDestructive(plan)).toBe(true);
  });

  it("disables a client first and enables it last", async () => {
    const { api, admin } = fakeShop();
    const closing = await admin.plan({ slug: "shop", enabled: false, displayName: "Closed" });
    expect(closing.steps.map(({ operation }) => operation)).toEqual(["setClientEnabled", "setClientDisplayName"]);
    api.put({ id: CLIENT_ID, enabled: false });
    const opening = await admin.plan({ slug: "shop", enabled: true, displayName: "Open" });
    expect(opening.steps.map(({ operation }) => operation)).toEqual(["setClientDisplayName", "setClientEnabled"]);
  });

  it("marks exactly the destructive steps", async () => {
    const { api, admin } = fakeShop();
    api.put({ id: CLIENT_ID, previewOriginsEnabled: true });
    const plan = await admin.plan({
      slug: "shop",
      enabled: false,
      previewOriginsEnabled: false,
      previewReturnPaths: [],
      tenantKeys: ["acme", "new"],
      providers: ["PROVIDER_A"],
      displayName: "Shop",
    });
    expect(plan.steps.filter((step) => step.destructive).map(({ operation }) => operation)).toEqual([
      "setClientEnabled",
      "setClientPreviewOrigins",
      "setClientPolicy",
      "removeClientTenantKey",
      "removeClientPreviewReturnPath",
    ]);
    const growing = await admin.plan({ slug: "shop", providers: ["PROVIDER_A", "PROVIDER_B", "PROVIDER_C"] });
    expect(growing.steps).toMatchObject([{ operation: "setClientPolicy", destructive: false }]);
    expect(isDestructive(growing)).toBe(false);
  });

  it("shows an obstacle that only the panel can remove", async () => {
    const { api, admin } = fakeShop();
    api.put({ id: CLIENT_ID, identityReturnUrls: ["https://old.example/signed-in"] });
    const plan = await admin.plan({
      slug: "shop",
      webOrigins: ["https://shop.example"],
      returnUrls: ["https://shop.example/connected"],
    });
    expect(plan.obstacles).toEqual([expect.stringContaining("https://old.example/signed-in")]);
    expect(describePlan(plan)).toContain("CANNOT BE APPLIED");
    await expect(admin.apply(plan, { allowDestructive: true })).rejects.toMatchObject({ code: "PLAN_BLOCKED" });
    expect(api.writes()).toEqual([]);
  });

  it("keeps unknown values of a policy", async () => {
    const { api, admin } = fakeShop();
    api.put({ id: CLIENT_ID, providers: ["PROVIDER_A", "PROVIDER_X"] });
    const { steps } = await admin.plan({ slug: "shop", capabilities: ["PROFILE"] });
    expect(steps).toMatchObject([{ policy: { providers: ["PROVIDER_A", "PROVIDER_X"], capabilities: ["PROFILE"] } }]);
  });
});

describe("a declaration that cannot be planned", () => {
  it.each([
    [
      "a new return URL that is not confirmed",
      { returnUrls: ["https://shop.example/new"] },
      "returnUrls[0]",
      "must be confirmed",
    ],
    [
      "a return URL on no origin",
      { returnUrls: [{ url: "https://x.example/r", ...CONFIRMED }] },
      "returnUrls[0]",
      "none of the client's origins",
    ],
    [
      "an omitted origin with a return URL on it",
      { webOrigins: ["https://shop.example"] },
      "webOrigins",
      "declare the returnUrls",
    ],
  ])("because of %s names its position", async (_, declared, place, message) => {
    const { admin } = fakeShop();
    await expect(admin.plan({ slug: "shop", ...declared })).rejects.toMatchObject({
      code: "DECLARATION_INVALID",
      problems: [{ place, message: expect.stringContaining(message) }],
    });
  });

  it("because fields for a creation are missing names each field, with the line of the file", async () => {
    const { admin } = fakeWriter();
    const [declaration] = parseDeclarations("slug: club\ndisplayName: Club\nproviders: []\n", { source: "club.yaml" });
    const failing = admin.plan(declaration as ClientDeclaration);
    await expect(failing).rejects.toMatchObject({
      problems: [
        { place: "webOrigins", source: "club.yaml", line: 1 },
        { place: "returnUrls" },
        { place: "capabilities" },
      ],
    });
  });

  it("reports the line in the file, also for a problem that only the client's state shows", async () => {
    const { admin } = fakeShop();
    const text = "slug: shop\nreturnUrls:\n  - https://shop.example/connected\n  - https://shop.example/new\n";
    const [declaration] = parseDeclarations(text, { source: "shop.yaml" });
    await expect(admin.plan(declaration as ClientDeclaration)).rejects.toMatchObject({
      problems: [{ place: "returnUrls[1]", source: "shop.yaml", line: 4, column: 5 }],
    });
  });
});

describe("describePlan", () => {
  it("has a line for each change with the previous value, and a warning for destructive steps", async () => {
    const { admin } = fakeShop();
    const plan = await admin.plan({
      slug: "shop",
      displayName: "Shop",
      tenantKeys: ["acme", "initech"],
      providers: ["PROVIDER_A"],
    });
    expect(describePlan(plan)).toBe(
      [
        `client shop will be changed (id ${CLIENT_ID})`,
        "  ~! providers           PROVIDER_A, PROVIDER_B → PROVIDER_A",
        '  ~  display name        "The Shop" → "Shop"',
        "  +  tenant key          initech",
        "  -! tenant key          globex",
        "  Steps marked with ! are destructive and must be allowed explicitly.",
      ].join("\n"),
    );
  });

  it("escapes control characters in values of a client", async () => {
    const { api, admin } = fakeShop();
    api.put({ id: CLIENT_ID, displayName: "\u001b[2J\u202eShop\nclient other: done" });
    const text = describePlan(await admin.plan({ slug: "shop", displayName: "Shop" }));
    expect(text).toContain('"\\u{1b}[2J\\u{202e}Shop\\u{a}client other: done" → "Shop"');
    expect(text.split("\n")).toHaveLength(2);
  });
});
