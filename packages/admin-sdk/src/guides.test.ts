/** The code of the README and of docs/how-to, run: each `#region` is copied into one of them by `pnpm generate`. */
import { readFileSync } from "node:fs";
import {
  ConflictError,
  createAdmin,
  DeclarationError,
  describePlan,
  describeResult,
  logoDataUrl,
  parseDeclarations,
  SocialConnectError,
  StalePlanError,
} from "@social-connect/admin-sdk";
import { connectionLost } from "@social-connect/sdk-core/testing/replies";
import { afterEach, expect, it, vi } from "vitest";
import { EXIT } from "./cli/exitCodes.ts";
import { CLIENT_ID, fakeShop, fakeWriter, SHOP } from "./testing/clients.ts";
import { FakeAdmin, HOST, KEY } from "./testing/fakeAdmin.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

function fakeConsole() {
  const lines: string[] = [];
  return { lines, console: { log: (...line: unknown[]) => void lines.push(line.join(" ")) } };
}

it("the first snippet of the README runs unchanged and is idempotent", async () => {
  const api = new FakeAdmin();
  vi.stubGlobal("fetch", api.fetch);
  vi.stubEnv("SOCIAL_CONNECT_ADMIN_HOST", HOST);
  vi.stubEnv("SOCIAL_CONNECT_ADMIN_KEY", KEY);
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await import("./snippets/quickStart.ts");
  vi.resetModules();
  await import("./snippets/quickStart.ts");
  const output = log.mock.calls.map(([line]) => String(line));
  expect(output[0]).toContain("client my-shop will be created");
  expect(output[1]).toContain("client my-shop: done");
  expect(output[2]).toBe("client my-shop: up to date, nothing to do");
  expect([...api.clients.values()]).toMatchObject([{ slug: "my-shop", tenantKeys: ["acme"] }]);
});

it("reading: clients and the audit log over all pages", async () => {
  const { api } = fakeWriter();
  for (const number of [1, 2, 3]) api.put({ ...SHOP, id: `${CLIENT_ID}-${number}`, slug: `shop-${number}` });
  const { lines, console } = fakeConsole();
  const options = { host: HOST, key: KEY, fetch: api.fetch };
  const keyId = "11111111-2222-4333-8444-555555555555";

  // #region read
  const reader = createAdmin({ ...options, scope: "READ" });
  for await (const client of reader.clients()) console.log(client.slug, client.displayName);
  for await (const entry of reader.audit({ apiKeyId: keyId })) console.log(entry.at, entry.action, entry.summary);
  // #endregion read

  expect(lines).toEqual(["shop-1 The Shop", "shop-2 The Shop", "shop-3 The Shop"]);
});

it("writing: distinguishes the outcomes, and throws only for a refusal", async () => {
  const { api, admin } = fakeShop();
  const { lines, console } = fakeConsole();
  const client = { id: CLIENT_ID };
  const remember = (error: SocialConnectError) => lines.push(error.code);
  api.fail("addClientOrigin", { before: connectionLost });

  // #region write
  const result = await admin.addClientOrigin(client.id, "https://new.example");
  switch (result.outcome) {
    case "applied": // It was this write.
    case "already": // It was so before, and nothing was sent.
      console.log(result.client.webOrigins);
      break;
    case "unknown": // The response was lost, and the client, read again, does not have it (yet).
      remember(result.error);
  }
  // #endregion write

  expect(lines).toEqual(["TRANSPORT_FAILED"]);

  try {
    await admin.removeClientReturnUrl(client.id, "https://old.example/connected");
    await admin.removeClientReturnUrl(client.id, "https://shop.example/connected");
  } catch (error) {
    if (!ConflictError.is(error) || error.reason !== "LAST_RETURN_URL") throw error;
    console.log("a client must have at least one return URL");
  }

  expect(lines.at(-1)).toBe("a client must have at least one return URL");
});

it("branding: a logo from a file, a color and links", async () => {
  const { api, admin } = fakeShop();
  const client = { id: CLIENT_ID };
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPgijEDAAEQAJ3bTiK4AAAAAElFTkSuQmCC";
  const readFile = async (_path: string) => Buffer.from(pixel, "base64");

  // #region branding
  await admin.setClientBranding(client.id, {
    logo: logoDataUrl(await readFile("logo.png")),
    brandColor: "#0a5c36",
    supportAddress: "mailto:help@example.com",
    privacyUrl: "https://example.com/privacy",
  });
  // #endregion branding

  expect(api.clients.get(CLIENT_ID)).toMatchObject({
    logo: expect.stringMatching(/^data:image\/png;base64,/),
    brandColor: "#0a5c36",
    supportAddress: "mailto:help@example.com",
    privacyUrl: "https://example.com/privacy",
  });
  expect(() => logoDataUrl(new TextEncoder().encode("<svg/>"))).toThrow("PNG, JPEG or WebP");
  const tooWide = Buffer.from(pixel, "base64");
  tooWide.writeUInt32BE(2_000, 16);
  expect(() => logoDataUrl(tooWide)).toThrow("1024 pixels");
});

it("planning from files, and applying the reviewed plan", async () => {
  const { admin } = fakeShop();
  const { lines, console } = fakeConsole();
  const readFile = async () => "slug: shop\ndisplayName: Shop\n";
  const isApproved = async (text: string) => text.includes('"The Shop" → "Shop"');

  // #region plan
  const [declaration] = parseDeclarations(await readFile(), { source: "shop.yaml" });
  if (declaration === undefined) throw new Error("the file declares nothing");
  const plan = await admin.plan(declaration);
  if (plan.steps.length > 0 && (await isApproved(describePlan(plan)))) {
    const result = await admin.apply(plan, { allowDestructive: false });
    console.log(describeResult(result));
    // Incomplete: the next run plans again from the current state.
    if (!result.complete) process.exitCode = 1;
  }
  // #endregion plan

  expect(lines).toEqual(['client shop: done\n  applied   ~  display name        "The Shop" → "Shop"']);
});

it("rejects with a class for each problem with a plan", async () => {
  const { api, admin } = fakeShop();
  const { lines, console } = fakeConsole();
  const plan = await admin.plan({ slug: "shop", displayName: "Shop" });
  api.put({ id: CLIENT_ID, enabled: false });

  try {
    await admin.apply(plan);
  } catch (error) {
    if (DeclarationError.is(error)) for (const { place, message } of error.problems) console.log(place, message);
    else if (StalePlanError.is(error)) console.log("the client was changed: plan again");
    else if (SocialConnectError.is(error)) console.log(error.code, error.correlationId ?? "");
    else throw error;
  }

  expect(lines).toEqual(["the client was changed: plan again"]);
});

it("a key is replaced while the program runs", async () => {
  const { api } = fakeShop();
  const other = KEY.replace("11111111", "22222222");
  const stored = [KEY, other];
  const secrets = { read: async (_name: string) => stored.shift() ?? other };
  const options = { host: HOST, fetch: api.fetch };

  // #region rotate
  const admin = createAdmin({ ...options, scope: "WRITE", key: () => secrets.read("social-connect-admin-key") });
  // #endregion rotate

  await admin.client(CLIENT_ID);
  await admin.client(CLIENT_ID);
  expect(api.calls.map(({ headers }) => headers.get("authorization"))).toEqual([`Bearer ${KEY}`, `Bearer ${other}`]);
});

it.each(["../README.md", "../../../docs/how-to/admin-as-code.md"])("every declaration in %s is valid", (path) => {
  const markdown = readFileSync(new URL(path, import.meta.url), "utf8");
  const blocks = [...markdown.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) => yaml ?? "");
  const declarations = blocks.filter((yaml) => /^slug:/m.test(yaml));
  expect(declarations.length).toBeGreaterThan(0);
  for (const yaml of declarations) expect(() => parseDeclarations(yaml)).not.toThrow();
});

it("the README has a row for every exit code", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const cells = [...readme.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes]) => codes?.split(", ").map(Number) ?? []);
  expect(cells).toEqual(Object.values(EXIT).toSorted((one, other) => one - other));
});
