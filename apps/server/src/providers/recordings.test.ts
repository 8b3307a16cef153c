import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ContentObservation, ProviderAccount, ProviderAdapter, ProviderSession } from "./contract.ts";
import { ProviderError } from "./contract.ts";
import { PROVIDER_ADAPTERS } from "./registry/registry.ts";
import { NOW, registration, session } from "./testing/replay.ts";
import { exchange, stored } from "./testing/signIn.ts";

/** What every recorded answer has to bear, whichever call it comes to and with whichever status. */

const FOLDERS = { PROVIDER_A: "provider-a", PROVIDER_B: "provider-b", PROVIDER_C: "provider-c" } as const;
const STATUSES = [200, 400, 403, 500];
const IDS = ["abc123", "fAkE_08-vId", "7141300000000000573", "1234123412345678567", "17895700000000001"];

const recordings = Object.values(PROVIDER_ADAPTERS).flatMap((adapter) => {
  const folder = new URL(`./${FOLDERS[adapter.provider]}/__fixtures__/`, import.meta.url);
  const sources = readFileSync(new URL("SOURCES.md", folder), "utf8");
  return readdirSync(folder)
    .filter((name) => name !== "SOURCES.md")
    .map((name) => ({ adapter, name, sources, text: readFileSync(new URL(name, folder), "utf8") }));
});

type Told = ContentObservation[] | ProviderAccount | "nothing of posts and accounts";

function calls(adapter: ProviderAdapter, read: ProviderSession): (() => Promise<Told>)[] {
  const window = {
    publishedAfter: new Date("2020-01-01T00:00:00Z"),
    publishedBefore: NOW,
    cursor: null,
    maxItems: 100,
  };
  const lookUp = async (target: { kind: "id" | "shortcode"; value: string }): Promise<Told> => {
    const found = await adapter.lookupContent(read, { target, withMetrics: true });
    return found.outcome === "found" ? [found.item] : [];
  };
  return [
    () => adapter.readAccount(read),
    async () => [...(await adapter.listContent(read, { ...window, withMetrics: true })).items],
    () => adapter.readContent(read, { providerContentIds: IDS, withMetrics: true }),
    ...IDS.map((value) => () => lookUp({ kind: "id", value })),
    () => lookUp({ kind: "shortcode", value: "CSgfake1wVq" }),
    ...[
      () => adapter.exchangeCode(read.registration, exchange()),
      () => adapter.refreshTokens(read.registration, stored()),
      async () => adapter.revoke?.(read.registration, stored()),
    ].map((call) => async (): Promise<Told> => {
      await call();
      return "nothing of posts and accounts";
    }),
  ];
}

describe.each(recordings)("$adapter.provider: $name", ({ adapter, name, sources, text }) => {
  it("says where it comes from", () => {
    expect(sources).toContain(`| ${name.replace(/\.\w+$/, "")} |`);
  });

  it("is an answer or a failure to every call, and no number is told that does not stand in it", async () => {
    for (const status of STATUSES) {
      const answer = async () => new Response(text, { status, headers: { "content-type": "application/json" } });
      const read = session(registration(adapter.provider, answer));
      for (const call of calls(adapter, read)) {
        const told = await call().catch((error: unknown) => {
          expect(error).toBeInstanceOf(ProviderError);
          expect(`${(error as ProviderError).stack}`).not.toContain("canary");
          return [];
        });
        if (typeof told === "string") continue;
        if (!Array.isArray(told)) {
          expect(text).toContain(told.providerAccountId);
          continue;
        }
        for (const item of told) {
          expect(text).toContain(item.providerContentId);
          for (const { value, availability } of item.metrics) {
            expect(value !== null).toBe(availability === "AVAILABLE");
            if (value !== null) expect(text).toMatch(new RegExp(`\\b${value}\\b`));
          }
        }
      }
    }
  });
});
