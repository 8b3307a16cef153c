import { CORRELATION_ID, notConnected, proxyPage, refusal } from "@social-connect/sdk-core/testing/replies";
import { describe, expect, it } from "vitest";
import { shell } from "../testing/commandLine.ts";
import { KEY } from "../testing/fakeAdmin.ts";
import { EXIT } from "./exitCodes.ts";
import { HELP, HOST_VARIABLE, KEY_VARIABLE } from "./usage.ts";

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
    [{ [KEY_VARIABLE]: KEY }, `${HOST_VARIABLE} is not set in the environment. Set it to the URL of the admin host`],
    [
      { [HOST_VARIABLE]: "https://admin.example.com" },
      `${KEY_VARIABLE} is not set in the environment. Set it to an admin key`,
    ],
    [{ [HOST_VARIABLE]: "https://admin.example.com", [KEY_VARIABLE]: " \n" }, `${KEY_VARIABLE} is not set`],
    [{ [HOST_VARIABLE]: "http://admin.example.com", [KEY_VARIABLE]: KEY }, `${HOST_VARIABLE} must use https`],
    [
      { [HOST_VARIABLE]: "https://admin.example.com", [KEY_VARIABLE]: KEY.slice(1) },
      `${KEY_VARIABLE} is not an admin key`,
    ],
    [
      { [HOST_VARIABLE]: "https://admin.example.com", [KEY_VARIABLE]: `Bearer ${KEY}` },
      `${KEY_VARIABLE} must not contain \`Bearer\`: pass only an admin key`,
    ],
    [
      { [HOST_VARIABLE]: "https://admin.example.com/panel/clients", [KEY_VARIABLE]: KEY },
      `${HOST_VARIABLE} must be the root of the service, without /panel: use https://admin.example.com.`,
    ],
    [
      { [HOST_VARIABLE]: "https://admin.example.com/admin/graphql", [KEY_VARIABLE]: KEY },
      `${HOST_VARIABLE} must be the root of the service, without /admin/graphql: use https://admin.example.com.`,
    ],
    [
      { [HOST_VARIABLE]: "admin.example.com", [KEY_VARIABLE]: KEY },
      `${HOST_VARIABLE} is not an absolute URL like https://sandbox.example.com`,
    ],
    [
      { [HOST_VARIABLE]: "https://admin.example.com", [KEY_VARIABLE]: KEY.slice("scadm_".length) },
      `${KEY_VARIABLE} is an application key: pass an admin key: scadm_, a UUID`,
    ],
    [{ [HOST_VARIABLE]: KEY, [KEY_VARIABLE]: "https://admin.example.com" }, `${HOST_VARIABLE} is not an absolute URL`],
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
    const failed = await command(["clients", "list"], { fetch });
    expect(failed).toMatchObject({ exitCode: EXIT.internal, errors: "Unexpected error (Error). Please report it." });
    const ask = () => Promise.reject(new RangeError(`no terminal for ${KEY}`));
    const result = await command(["apply", "-f", "shop.yaml"], { ask });
    expect(result.exitCode).toBe(EXIT.internal);
    expect(result.errors).toBe("Unexpected error (RangeError). Please report it.");
  });
});
