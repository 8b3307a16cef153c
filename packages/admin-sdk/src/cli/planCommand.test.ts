import { describe, expect, it } from "vitest";
import { CLIENT_ID } from "../testing/clients.ts";
import { shell } from "../testing/commandLine.ts";
import { EXIT } from "./exitCodes.ts";

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
      errors: "plan.json cannot be written (EACCES). Choose another file with `--out`.",
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
      errors: "nowhere.yaml does not exist. Check the path.",
    });
    for (const [code, message] of [
      ["EISDIR", "file is a folder. Name a file."],
      ["EACCES", "file cannot be read (EACCES). Check its permissions."],
      ["EIO", "file cannot be read (EIO). Check the file."],
    ]) {
      const readFile = () => Promise.reject(Object.assign(new Error("no"), { code }));
      const read = await command(["plan", "-f", "file"], { readFile });
      expect(read).toMatchObject({ exitCode: EXIT.noInput, errors: message });
    }
    expect(await command(["plan", "-f", "club.yaml", "-f", "club.yaml"])).toMatchObject({ exitCode: EXIT.declaration });
    expect(api.calls).toEqual([]);
  });
});
