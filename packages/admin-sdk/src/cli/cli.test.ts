import {
  CORRELATION_ID,
  connectionLost,
  notConnected,
  proxyPage,
  refusal,
} from "@social-connect/sdk-core/testing/replies";
import { describe, expect, it } from "vitest";
import { CLIENT_ID, SHOP } from "../testing/clients.ts";
import { commandLine } from "../testing/commandLine.ts";
import { KEY } from "../testing/fakeAdmin.ts";
import { EXIT } from "./exitCodes.ts";
import { HELP, HOST_VARIABLE, KEY_VARIABLE } from "./usage.ts";

const SHOP_YAML = `slug: shop
displayName: Shop
webOrigins: [https://shop.example, https://old.example]
returnUrls: [https://shop.example/connected, https://old.example/connected]
`;
const CLUB_YAML = `slug: club
displayName: Club
webOrigins: [https://club.example]
returnUrls:
  - url: https://club.example/connected
    confirmedNoOnwardRedirect: true
providers: [PROVIDER_A]
capabilities: [PROFILE]
`;

function shell() {
  const parts = commandLine();
  parts.api.put(SHOP);
  parts.files.set("shop.yaml", SHOP_YAML);
  parts.files.set("club.yaml", CLUB_YAML);
  return parts;
}

describe("clients", () => {
  it("are listed over all pages, as a table or as JSON", async () => {
    const { api, command } = shell();
    for (const slug of ["a", "b", "c"]) api.put({ ...SHOP, id: slug, slug });
    const { exitCode, output } = await command(["clients", "list"]);
    expect(exitCode).toBe(EXIT.done);
    expect(output.split("\n").map((line) => line.split(/\s+/)[0])).toEqual(["SLUG", "a", "b", "c", "shop"]);
    const asJson = await command(["clients", "list", "--json"]);
    expect(JSON.parse(asJson.output)).toEqual([...api.clients.values()].sort((x, y) => (x.slug < y.slug ? -1 : 1)));
    expect((await commandLine().command(["clients", "list"])).output).toBe("No clients.");
  });

  it("are safe for a terminal as JSON too, and parse to the same value", async () => {
    const { api, command } = shell();
    const displayName = "\u009b2J \u202eevil \u{e0041}";
    api.put({ ...SHOP, displayName });
    const { output } = await command(["clients", "show", "shop", "--json"]);
    expect(output).not.toMatch(/[\p{Cf}\u009b]/u);
    expect(JSON.parse(output)).toMatchObject({ displayName });
  });

  it("are shown by slug or id", async () => {
    const { command } = shell();
    for (const name of ["shop", CLIENT_ID]) {
      const { exitCode, output } = await command(["clients", "show", name]);
      expect(exitCode).toBe(EXIT.done);
      expect(output).toContain("display name          The Shop");
      expect(output).toContain("https://old.example");
    }
    expect(JSON.parse((await command(["clients", "show", "shop", "--json"])).output)).toMatchObject({ id: CLIENT_ID });
    const missing = await command(["clients", "show", "nobody"]);
    expect(missing).toMatchObject({ exitCode: EXIT.failed, output: "" });
    expect(missing.errors).toContain("Unknown client");
  });

  it("are exported as a declaration for which the plan is empty", async () => {
    const { files, command } = shell();
    files.set("declared.yaml", (await command(["clients", "declare", "shop"])).output);
    expect(await command(["plan", "-f", "declared.yaml", "--exit-code"])).toMatchObject({ exitCode: EXIT.done });
    files.set("declared.json", (await command(["clients", "declare", "shop", "--json"])).output);
    expect(await command(["plan", "-f", "declared.json", "--exit-code"])).toMatchObject({ exitCode: EXIT.done });
  });
});

describe("plan", () => {
  it("shows the difference, changes nothing, and sets the exit code only on request", async () => {
    const { api, command } = shell();
    const shown = await command(["plan", "-f", "shop.yaml", "-f", "club.yaml"]);
    expect(shown.exitCode).toBe(EXIT.done);
    // As a shell expands `-f *.yaml`.
    expect(await command(["plan", "-f", "shop.yaml", "club.yaml"])).toEqual(shown);
    expect(shown.output).toContain('~  display name        "The Shop" → "Shop"');
    expect(shown.output).toContain("client club will be created");
    expect(await command(["plan", "-f", "shop.yaml", "--exit-code"])).toMatchObject({ exitCode: EXIT.differs });
    api.put({ id: CLIENT_ID, displayName: "Shop" });
    expect(await command(["plan", "-f", "shop.yaml", "--exit-code"])).toMatchObject({ exitCode: EXIT.done });
    expect(api.writes()).toEqual([]);
  });

  it("writes a plan that is applied later, exactly as reviewed", async () => {
    const { api, files, command } = shell();
    const planned = await command(["plan", "-f", "shop.yaml", "--out", "plan.json", "--json"]);
    expect(JSON.parse(files.get("plan.json") ?? "")).toEqual(JSON.parse(planned.output));
    files.delete("shop.yaml");
    expect(await command(["apply", "--plan", "plan.json", "--yes"])).toMatchObject({ exitCode: EXIT.done });
    expect(api.clients.get(CLIENT_ID)).toMatchObject({ displayName: "Shop" });
    api.put({ id: CLIENT_ID, displayName: "Somebody's" });
    expect(await command(["apply", "--plan", "plan.json", "--yes"])).toMatchObject({ exitCode: EXIT.stale });
    const writeFile = () => Promise.reject(Object.assign(new Error("no"), { code: "EACCES" }));
    expect(await command(["plan", "-f", "club.yaml", "--out", "plan.json"], { writeFile })).toMatchObject({
      exitCode: EXIT.noOutput,
      errors: "plan.json cannot be written (EACCES).",
    });
    files.set("plan.json", "{}");
    expect(await command(["apply", "--plan", "plan.json", "--yes"])).toMatchObject({ exitCode: EXIT.configuration });
  });

  it("reports file, line and field of an error before it calls the service", async () => {
    const { api, files, command } = shell();
    files.set("-", "slug: shop\nenabled: maybe\n");
    const { exitCode, errors, output } = await command(["plan", "-f", "-"]);
    expect({ exitCode, errors, output }).toEqual({
      exitCode: EXIT.declaration,
      errors: "(standard input):2:10: enabled: must be true or false",
      output: "",
    });
    // Works without a host.
    expect(await command(["plan", "-f", "-"], { environment: {} })).toMatchObject({ exitCode: EXIT.declaration });
    expect(await command(["plan", "-f", "nowhere.yaml"])).toMatchObject({
      exitCode: EXIT.noInput,
      errors: "nowhere.yaml cannot be read (ENOENT).",
    });
    expect(await command(["plan", "-f", "club.yaml", "-f", "club.yaml"])).toMatchObject({ exitCode: EXIT.declaration });
    expect(api.calls).toEqual([]);
  });
});

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

describe("audit", () => {
  const entry = (number: number, apiKeyId: string | null) => ({
    id: `entry-${number}`,
    at: "2026-03-01T00:00:00.000Z",
    actor: "Via API key 11111111",
    apiKeyId,
    action: "Origin added",
    targetType: "CLIENT",
    targetId: CLIENT_ID,
    clientSlug: "shop",
    summary: `Added the origin ${number}.`,
  });
  const OTHER = "22222222-2222-4222-8222-222222222222";

  it("shows the requested number of entries, over all pages, or those of one key", async () => {
    const { api, command } = shell();
    for (let number = 0; number < 60; number += 1) api.audit.push(entry(number, number % 2 === 0 ? OTHER : null));
    const count = async (...options: string[]) =>
      (JSON.parse((await command(["audit", "--json", ...options])).output) as unknown[]).length;
    expect(await count()).toBe(50);
    expect(await count("--limit", "3")).toBe(3);
    expect(await count("--all")).toBe(60);
    expect(await count("--all", "--key", OTHER)).toBe(30);
    const { output } = await command(["audit", "--limit", "1"]);
    expect(output).toContain("AT                        WHO                   WHAT          CLIENT  SUMMARY");
    expect(output).toContain("Added the origin 0.");
  });

  it("takes the id of a key and never the key", async () => {
    const { api, command } = shell();
    const whole = await command(["audit", "--key", KEY]);
    expect(whole.exitCode).toBe(EXIT.usage);
    expect(whole.errors).toContain("Revoke it in the panel");
    expect(await command(["audit", "--key", "11111111"])).toMatchObject({ exitCode: EXIT.configuration });
    expect(api.calls).toEqual([]);
  });
});

describe("usage errors", () => {
  it.each([
    [[], "Missing command."],
    [["delete"], "Unknown command: delete."],
    [["clients", "remove"], "Unknown command: clients remove."],
    [["clients", "show"], "takes the slug or id"],
    [["clients", "list", "shop"], "takes no names"],
    [["plan"], "Pass a declaration with -f."],
    [["plan", "--yes"], "`plan` does not support --yes."],
    [["plan", "--frobnicate"], "Unknown option '--frobnicate'"],
    [["plan", "-f"], "argument missing"],
    [["apply"], "Pass a declaration with -f or a plan with --plan."],
    [["apply", "-f", "shop.yaml", "--plan", "plan.json"], "Pass a declaration with -f or a plan with --plan."],
    [["audit", "--limit", "0"], "--limit must be a whole number"],
    [["audit", "--key", "a\u001b[2J", "--nothing\u001b[2J"], "\\u{1b}[2J"],
  ])("rejects %j with a reason", async (argv, message) => {
    const { api, command } = shell();
    const { exitCode, errors, output } = await command(argv);
    expect({ exitCode, output }).toEqual({ exitCode: EXIT.usage, output: "" });
    expect(errors).toContain(message);
    expect(errors).toContain("--help");
    expect(api.calls).toEqual([]);
  });

  it.each([
    ["the whole key", [`--key=${KEY}`]],
    ["its secret half", ["clients", "show", KEY.slice(KEY.indexOf(".") + 1)]],
    ["a key that was cut", ["--token", KEY.slice(0, 60)]],
  ])("rejects %s as an argument without repeating it", async (_, argv) => {
    const { exitCode, errors, output } = await shell().command(argv);
    expect({ exitCode, output }).toEqual({ exitCode: EXIT.usage, output: "" });
    expect(errors).not.toContain("c0ffee");
    expect(errors).toContain("shell history");
  });

  it.each([
    [{ [KEY_VARIABLE]: KEY }, `${HOST_VARIABLE} is not set`],
    [{ [HOST_VARIABLE]: "https://admin.example.com" }, `${KEY_VARIABLE} is not set`],
    [{ [HOST_VARIABLE]: "http://admin.example.com", [KEY_VARIABLE]: KEY }, "host must use https"],
    [{ [HOST_VARIABLE]: "https://admin.example.com", [KEY_VARIABLE]: KEY.slice(1) }, "key is not an admin key"],
    [{ [HOST_VARIABLE]: KEY, [KEY_VARIABLE]: "https://admin.example.com" }, "host is not an absolute URL"],
  ])("rejects a missing or invalid host or key before it sends a request", async (environment, message) => {
    const { api, command } = shell();
    const { exitCode, errors } = await command(["clients", "list"], { environment });
    expect(exitCode).toBe(EXIT.configuration);
    expect(errors).toContain(message);
    expect(errors).not.toContain("c0ffee");
    expect(api.calls).toEqual([]);
  });

  it("prints help with every exit code for --help, and the version for --version", async () => {
    for (const argv of [["--help"], ["help"], ["plan", "-h"]]) {
      expect(await shell().command(argv)).toMatchObject({ exitCode: EXIT.done, output: HELP.trimEnd() });
    }
    for (const code of Object.values(EXIT)) {
      if (code !== EXIT.internal) expect(HELP).toMatch(new RegExp(`(^|\\s)${code}  \\S`, "m"));
    }
    expect((await shell().command(["--version"])).output).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("a failure", () => {
  it.each([
    ["UNAUTHENTICATED", EXIT.notPermitted, "Create a new key"],
    ["FORBIDDEN", EXIT.notPermitted, "Check host"],
    ["UPSTREAM_UNAVAILABLE", EXIT.unavailable, "could not complete"],
    ["SOMETHING_NEW", EXIT.failed, "does not know the code"],
  ])("has an exit code, the next step and the correlation id for %s", async (code, exitCode, message) => {
    const { api, command } = shell();
    const again = { reply: () => refusal(code) };
    api.fail("adminClients", again, again, again);
    const result = await command(["clients", "list"]);
    expect(result).toMatchObject({ exitCode, output: "" });
    expect(result.errors).toContain(message);
    expect(result.errors).toContain(CORRELATION_ID);
  });

  it("distinguishes a network error from an invalid response", async () => {
    const { api, command } = shell();
    api.fail("adminClients", ...Array(3).fill({ before: notConnected }));
    expect(await command(["clients", "list"])).toMatchObject({
      exitCode: EXIT.unavailable,
      errors: expect.stringContaining("ECONNREFUSED"),
    });
    api.fail("adminClients", { reply: () => proxyPage(200) });
    expect(await command(["clients", "list"])).toMatchObject({ exitCode: EXIT.protocol });
    api.fail("adminClients", { reply: () => proxyPage(302, { location: "https://elsewhere.example" }) });
    expect(await command(["clients", "list"])).toMatchObject({ exitCode: EXIT.protocol });
  });

  it("is JSON on the error output for programs", async () => {
    const { api, command } = shell();
    api.fail("adminClients", { reply: () => refusal("FORBIDDEN", { reason: "PANEL_ONLY" }) });
    const { errors, output } = await command(["clients", "list", "--json"]);
    expect(output).toBe("");
    expect(JSON.parse(errors)).toEqual({
      error: expect.objectContaining({
        name: "ForbiddenError",
        code: "FORBIDDEN",
        reason: "PANEL_ONLY",
        operation: "adminClients",
        correlationId: CORRELATION_ID,
      }),
    });
    expect(JSON.parse((await command(["nothing", "--json"])).errors)).toMatchObject({ error: { name: "UsageError" } });
  });

  it("prints only the kind of an unexpected error", async () => {
    const { command } = shell();
    const fetch = () => {
      throw new Error("never seen");
    };
    expect((await command(["clients", "list"], { fetch })).exitCode).toBe(EXIT.unavailable);
    const ask = () => Promise.reject(new RangeError(`no terminal for ${KEY}`));
    const result = await command(["apply", "-f", "shop.yaml"], { ask });
    expect(result.exitCode).toBe(EXIT.internal);
    expect(result.errors).toBe("Unexpected error (RangeError). Please report it.");
  });
});
