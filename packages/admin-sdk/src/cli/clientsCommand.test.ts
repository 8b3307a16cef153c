import { describe, expect, it } from "vitest";
import { CLIENT_ID, SHOP } from "../testing/clients.ts";
import { commandLine, shell } from "../testing/commandLine.ts";
import { EXIT } from "./exitCodes.ts";

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
