import { describe, expect, it } from "vitest";
import { CLIENT_ID } from "../testing/clients.ts";
import { shell } from "../testing/commandLine.ts";
import { KEY } from "../testing/fakeAdmin.ts";
import { EXIT } from "./exitCodes.ts";

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
