import { connectionLost, refusal } from "@social-connect/sdk-core/testing/replies";
import { describe, expect, it } from "vitest";
import { CLIENT_ID, SHOP } from "../testing/clients.ts";
import { SHOP_YAML, shell } from "../testing/commandLine.ts";
import { EXIT } from "./exitCodes.ts";

describe("apply", () => {
  it("shows the plan, applies it, and reports each step", async () => {
    const { api, command } = shell();
    const { exitCode, output } = await command(["apply", "-f", "shop.yaml", "-f", "club.yaml", "--yes"]);
    expect(exitCode).toBe(EXIT.done);
    expect(output).toContain('applied   ~  display name        "The Shop" → "Shop"');
    expect(output).toContain("client club: done");
    expect(api.writes()).toEqual(["setClientDisplayName", "createClient"]);
    const again = await command(["apply", "-f", "shop.yaml", "-f", "club.yaml"]);
    expect(again).toMatchObject({ exitCode: EXIT.done, errors: "" });
    expect(again.output).toContain("client club: up to date, nothing to do");
    expect(api.writes()).toHaveLength(2);
  });

  it("changes nothing without a confirmation", async () => {
    const { api, command } = shell();
    const apply = ["apply", "-f", "shop.yaml"];
    const unasked = await command(apply);
    expect(unasked.exitCode).toBe(EXIT.refused);
    expect(unasked.errors).toContain("--yes");
    for (const answer of ["", "no", "y", "yess"]) {
      expect(await command(apply, { ask: async () => answer })).toMatchObject({ exitCode: EXIT.refused });
    }
    expect(api.writes()).toEqual([]);
    expect(await command(apply, { ask: async () => "yes\n" })).toMatchObject({ exitCode: EXIT.done });
    expect(api.writes()).toEqual(["setClientDisplayName"]);
  });

  it("applies destructive steps only with --allow-destructive", async () => {
    const { api, files, command } = shell();
    files.set("closed.yaml", "slug: shop\nenabled: false\n");
    const refused = await command(["apply", "-f", "closed.yaml", "--yes"]);
    expect(refused).toMatchObject({ exitCode: EXIT.refused });
    expect(refused.output).toContain("~! enabled");
    expect(refused.errors).toContain("--allow-destructive");
    expect(api.writes()).toEqual([]);
    const allowed = await command(["apply", "-f", "closed.yaml", "--yes", "--allow-destructive"]);
    expect(allowed).toMatchObject({ exitCode: EXIT.done });
  });

  it("starts no step of a plan with an obstacle", async () => {
    const { api, files, command } = shell();
    api.put({ id: CLIENT_ID, identityReturnUrls: ["https://old.example/signed-in"] });
    files.set(
      "moved.yaml",
      "slug: shop\nwebOrigins: [https://shop.example]\nreturnUrls: [https://shop.example/connected]\n",
    );
    const apply = ["apply", "-f", "moved.yaml", "--yes", "--allow-destructive"];
    expect(await command(apply)).toMatchObject({
      exitCode: EXIT.refused,
      errors: "A plan has an obstacle. Nothing was changed.",
    });
    expect(api.writes()).toEqual([]);
  });

  it("has its own exit code for a refused step, an unknown outcome, and a changed client", async () => {
    const apply = ["apply", "-f", "shop.yaml", "-f", "club.yaml", "--yes"];
    const failing = shell();
    failing.api.fail("setClientDisplayName", { reply: () => refusal("BAD_USER_INPUT") });
    const failed = await failing.command(apply);
    expect(failed.exitCode).toBe(EXIT.failed);
    const readOnly = shell();
    readOnly.api.fail("setClientDisplayName", { reply: () => refusal("FORBIDDEN", { reason: "API_KEY_READ_ONLY" }) });
    expect(await readOnly.command(apply)).toMatchObject({ exitCode: EXIT.notPermitted });
    expect(failed.output).toContain("FAILED");
    // The next plan is not applied.
    expect(failing.api.writes()).toEqual(["setClientDisplayName"]);

    const losing = shell();
    losing.api.fail("setClientDisplayName", { before: connectionLost });
    const unknown = await losing.command(apply);
    expect(unknown.exitCode).toBe(EXIT.unknown);
    expect(unknown.output).toContain("UNKNOWN");

    const shared = shell();
    shared.files.set("shop.yaml", `${SHOP_YAML}tenantKeys: [acme, globex, initech]\n`);
    shared.api.meanwhile = (call) => {
      if (call.operation === "setClientDisplayName") shared.api.put({ id: CLIENT_ID, enabled: false });
    };
    const changed = await shared.command(apply);
    expect(changed.exitCode).toBe(EXIT.stale);
    expect(changed.output).toContain("not started");
  });

  it("prints the result as one JSON document", async () => {
    const { command } = shell();
    const { output, errors } = await command(["apply", "-f", "shop.yaml", "--yes", "--json"]);
    expect(JSON.parse(output)).toMatchObject({
      plans: [{ slug: "shop", steps: [{ operation: "setClientDisplayName" }] }],
      results: [{ slug: "shop", complete: true, steps: [{ outcome: "applied" }] }],
    });
    expect(errors).toBe("");
  });

  it("says after an interruption that planning again shows what is left", async () => {
    const { api, command, stop } = shell();
    api.meanwhile = (call) => {
      if (call.operation === "setClientDisplayName") stop.abort();
    };
    api.fail("setClientDisplayName", { after: connectionLost });
    const { exitCode, errors } = await command(["apply", "-f", "shop.yaml", "--yes"]);
    expect(exitCode).toBe(EXIT.interrupted);
    expect(errors).toContain("plan again");
  });

  it("reports after an interruption which steps were applied, and which have an unknown outcome", async () => {
    const { api, files, command, stop } = shell();
    files.set("-", "slug: shop\ndisplayName: Shop\ntenantKeys: [acme, globex, one, two]\n");
    api.meanwhile = ({ variables }) => void (variables.tenantKey === "one" && stop.abort());
    const { exitCode, output, errors } = await command(["apply", "-f", "-", "--yes", "--json"]);
    expect(exitCode).toBe(EXIT.interrupted);
    expect(JSON.parse(errors)).toMatchObject({ error: { name: "Interrupted" } });
    expect(JSON.parse(output).results).toMatchObject([
      {
        slug: "shop",
        complete: false,
        stoppedBy: "unknown",
        steps: [
          { step: { operation: "setClientDisplayName" }, outcome: "applied" },
          { step: { tenantKey: "one" }, outcome: "unknown" },
          { step: { tenantKey: "two" }, outcome: "skipped" },
        ],
      },
    ]);
  });

  it("reports the result of one client when the next one fails", async () => {
    const { api, command } = shell();
    api.meanwhile = ({ operation }) => {
      if (operation === "setClientDisplayName") api.put({ ...SHOP, id: "other", slug: "club" });
    };
    const { exitCode, output } = await command(["apply", "-f", "shop.yaml", "-f", "club.yaml", "--yes", "--json"]);
    expect(exitCode).toBe(EXIT.stale);
    expect(JSON.parse(output).results).toMatchObject([{ slug: "shop", complete: true }]);
  });
});
