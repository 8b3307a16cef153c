import { connectionLost, refusal } from "@social-connect/sdk-core/testing/replies";
import { describe, expect, it } from "vitest";
import type { ClientDeclaration } from "../declaration/declaration.ts";
import { CLIENT_ID, fakeShop, fakeWriter, NEW_CLUB, SHOP } from "../testing/clients.ts";
import { describeResult } from "./describe.ts";
import { parsePlan } from "./parsePlan.ts";

const CONFIRMED = { confirmedNoOnwardRedirect: true } as const;
const ALLOWED = { allowDestructive: true } as const;

/** Moves the shop to a different origin, renames it, and replaces a tenant. */
const MOVED: ClientDeclaration = {
  slug: "shop",
  displayName: "Moved",
  webOrigins: ["https://new.example"],
  returnUrls: [{ url: "https://new.example/connected", ...CONFIRMED }],
  tenantKeys: ["acme", "initech"],
};

const CLUB: ClientDeclaration = { ...NEW_CLUB, enabled: false, previewReturnPaths: ["/r"] };

/** The shop with a plan to move it. */
async function plannedMove() {
  const parts = fakeShop();
  return { ...parts, plan: await parts.admin.plan(MOVED) };
}

describe("applying a plan", () => {
  it("changes the client to the declared state, reports each step, and leaves an empty plan", async () => {
    const { api, admin, plan } = await plannedMove();
    const told: string[] = [];
    const result = await admin.apply(plan, {
      ...ALLOWED,
      onStep: ({ step, outcome }) => told.push(`${step.operation} ${outcome}`),
    });
    expect(result).toMatchObject({
      complete: true,
      slug: "shop",
      client: { displayName: "Moved", tenantKeys: ["acme", "initech"] },
    });
    expect(result).not.toHaveProperty("stoppedBy");
    expect(told).toEqual(plan.steps.map(({ operation }) => `${operation} applied`));
    expect(api.clients.get(CLIENT_ID)).toMatchObject({ webOrigins: ["https://new.example"] });
    expect((await admin.plan(MOVED)).steps).toEqual([]);
  });

  it("creates a client and uses its id for the remaining steps", async () => {
    const { api, admin } = fakeWriter();
    const result = await admin.apply(await admin.plan(CLUB), ALLOWED);
    expect(result).toMatchObject({
      complete: true,
      client: { slug: "club", enabled: false, previewReturnPaths: ["/r"] },
    });
    expect(api.clients.size).toBe(1);
    expect((await admin.plan(CLUB)).steps).toEqual([]);
  });

  it("does nothing for an empty plan", async () => {
    const { api, admin } = fakeShop();
    const result = await admin.apply(await admin.plan({ slug: "shop" }));
    expect(result).toMatchObject({ complete: true, steps: [] });
    expect(api.writes()).toEqual([]);
  });

  it("can be repeated: an applied plan is reported as such, and sends nothing", async () => {
    const { api, admin, plan } = await plannedMove();
    await admin.apply(plan, ALLOWED);
    const sent = api.writes().length;
    const again = await admin.apply(plan, ALLOWED);
    expect(again.complete).toBe(true);
    expect(new Set(again.steps.map(({ outcome }) => outcome))).toEqual(new Set(["already"]));
    expect(api.writes()).toHaveLength(sent);
    const creating = fakeWriter();
    const creation = await creating.admin.plan(CLUB);
    await creating.admin.apply(creation, ALLOWED);
    expect(await creating.admin.apply(creation, ALLOWED)).toMatchObject({ complete: true });
    expect(creating.api.of("createClient")).toHaveLength(1);
  });

  it("accepts a plan from JSON", async () => {
    const { admin } = fakeShop();
    const plan = parsePlan(JSON.stringify(await admin.plan(MOVED)));
    expect(await admin.apply(plan, ALLOWED)).toMatchObject({ complete: true });
  });
});

describe("a plan is not started", () => {
  it("when it is destructive without permission", async () => {
    const { api, admin, plan } = await plannedMove();
    await expect(admin.apply(plan)).rejects.toMatchObject({ name: "PlanRefusedError", code: "PLAN_DESTRUCTIVE" });
    const words = Reflect.apply(admin.apply, admin, [plan, { allowDestructive: "yes" }]);
    await expect(words).rejects.toMatchObject({ code: "PLAN_DESTRUCTIVE" });
    expect(api.writes()).toEqual([]);
  });

  it.each([
    ["a field of the plan", { displayName: "Somebody's" }],
    ["a field that the plan does not touch", { capabilities: ["PROFILE"] }],
    ["what only the panel changes", { idpIdentityEnabled: true }],
    ["only updatedAt", {}],
  ])("when %s changed after it was planned", async (_, change) => {
    const { api, admin, plan } = await plannedMove();
    api.put({ id: CLIENT_ID, ...change });
    await expect(admin.apply(plan, ALLOWED)).rejects.toMatchObject({ name: "StalePlanError", code: "PLAN_STALE" });
    expect(api.writes()).toEqual([]);
    // Control: a new plan can be applied.
    expect(await admin.apply(await admin.plan(MOVED), ALLOWED)).toMatchObject({ complete: true });
  });

  it("when the client that it creates exists and differs", async () => {
    const { api, admin } = fakeWriter();
    const plan = await admin.plan(CLUB);
    api.put({ ...SHOP, slug: "club" });
    await expect(admin.apply(plan, ALLOWED)).rejects.toMatchObject({ code: "PLAN_STALE" });
    expect(api.writes()).toEqual([]);
  });

  it("when it is invalid, of another version, or edited to hide destructive steps", async () => {
    const { admin, plan } = await plannedMove();
    const disguised = { ...plan, steps: plan.steps.map((step) => ({ ...step, destructive: false })) };
    const unconfirmed = JSON.parse(
      JSON.stringify(plan).replaceAll('"confirmedNoOnwardRedirect":true', '"confirmedNoOnwardRedirect":false'),
    );
    const others: unknown[] = [
      {},
      null,
      "plan",
      { ...plan, format: "social-connect-client-plan/2" },
      disguised,
      unconfirmed,
      { ...plan, client: null },
    ];
    for (const other of others) {
      expect(() => parsePlan(JSON.stringify(other))).toThrow("not a plan");
      await expect(Reflect.apply(admin.apply, admin, [other])).rejects.toMatchObject({ code: "MISCONFIGURED" });
    }
    expect(() => parsePlan("{")).toThrow("not a plan");
    expect(parsePlan(JSON.stringify(plan))).toEqual(plan);
  });
});

describe("a plan stops", () => {
  it("at a refused step, and lists the steps that were not started; planning again continues from there", async () => {
    const { api, admin, plan } = await plannedMove();
    api.fail("addClientReturnUrl", { reply: () => refusal("FORBIDDEN") });
    const result = await admin.apply(plan, ALLOWED);
    expect(result).toMatchObject({ complete: false, stoppedBy: "failed" });
    expect(result.steps.map(({ step, outcome }) => [step.operation, outcome])).toEqual([
      ["setClientDisplayName", "applied"],
      ["addClientOrigin", "applied"],
      ["addClientReturnUrl", "failed"],
      ["removeClientReturnUrl", "skipped"],
      ["removeClientOrigin", "skipped"],
      ["removeClientReturnUrl", "skipped"],
      ["removeClientOrigin", "skipped"],
      ["addClientTenantKey", "skipped"],
      ["removeClientTenantKey", "skipped"],
    ]);
    expect(result.steps[2]?.error).toMatchObject({ code: "FORBIDDEN", operation: "addClientReturnUrl" });
    expect(describeResult(result)).toContain("FAILED");
    await expect(admin.apply(plan, ALLOWED)).rejects.toMatchObject({ code: "PLAN_STALE" });
    expect(await admin.apply(await admin.plan(MOVED), ALLOWED)).toMatchObject({ complete: true });
  });

  it("at a step with an unknown outcome", async () => {
    const { api, admin, plan } = await plannedMove();
    api.fail("addClientOrigin", { before: connectionLost });
    const result = await admin.apply(plan, ALLOWED);
    expect(result).toMatchObject({ complete: false, stoppedBy: "unknown" });
    expect(result.steps.map(({ outcome }) => outcome).slice(0, 3)).toEqual(["applied", "unknown", "skipped"]);
    expect(api.of("addClientOrigin")).toHaveLength(1);
    expect(await admin.apply(await admin.plan(MOVED), ALLOWED)).toMatchObject({ complete: true });
  });

  it("not at a lost response, when the next read shows the step applied", async () => {
    const { api, admin, plan } = await plannedMove();
    for (const { operation } of plan.steps)
      if (operation !== "setEventEndpoints") api.fail(operation, { after: connectionLost });
    expect(await admin.apply(plan, ALLOWED)).toMatchObject({ complete: true });
    expect(api.writes()).toEqual(plan.steps.map(({ operation }) => operation));
  });

  it("when another admin changes the client concurrently", async () => {
    const { api, admin, plan } = await plannedMove();
    api.meanwhile = (call) => {
      if (call.operation === "addClientOrigin") api.put({ id: CLIENT_ID, capabilities: ["PROFILE"] });
    };
    const result = await admin.apply(plan, ALLOWED);
    expect(result).toMatchObject({ complete: false, stoppedBy: "changed" });
    expect(result.steps.map(({ outcome }) => outcome).slice(0, 3)).toEqual(["applied", "applied", "skipped"]);
  });

  it("at a creation with a lost response and no client, without a second attempt", async () => {
    const { api, admin } = fakeWriter();
    const plan = await admin.plan(CLUB);
    api.fail("createClient", { before: connectionLost });
    expect(await admin.apply(plan, ALLOWED)).toMatchObject({
      complete: false,
      stoppedBy: "unknown",
      client: undefined,
    });
    expect(api.writes()).toEqual(["createClient"]);
    expect(await admin.apply(plan, ALLOWED)).toMatchObject({ complete: true });
  });

  it("when the caller aborts, with the caller's reason", async () => {
    const { api, admin, plan } = await plannedMove();
    const stop = new AbortController();
    const applying = admin.apply(plan, { ...ALLOWED, signal: stop.signal, onStep: () => stop.abort("enough") });
    await expect(applying).rejects.toBe("enough");
    expect(api.writes()).toHaveLength(1);
  });
});

it("ignores errors of onStep", async () => {
  const { admin } = fakeShop();
  const onStep = () => {
    throw new Error("the terminal was closed");
  };
  expect(await admin.apply(await admin.plan(MOVED), { ...ALLOWED, onStep })).toMatchObject({ complete: true });
});
