import { readdirSync, readFileSync } from "node:fs";
import { providerSlug } from "@social-connect/domain";
import { describe, expect, it } from "vitest";
import {
  type ContentObservation,
  type ProviderAccount,
  type ProviderAdapter,
  ProviderError,
  type ProviderSession,
} from "./contract.ts";
import { PROVIDER_ADAPTERS } from "./registry/registry.ts";
import { NOW, registration, session } from "./testing/replay.ts";
import { exchange, stored } from "./testing/signIn.ts";

/** Every recorded response must be handled as the response to any call, with any status. */

const STATUSES = [200, 400, 403, 500];
const IDS = ["abc123", "fAkE_08-vId", "7141300000000000573", "1234123412345678567", "17895700000000001"];

const recordings = Object.values(PROVIDER_ADAPTERS).flatMap((adapter) => {
  const folder = new URL(`./${providerSlug(adapter.provider)}/__fixtures__/`, import.meta.url);
  const sources = readFileSync(new URL("SOURCES.md", folder), "utf8");
  return readdirSync(folder)
    .filter((name) => name !== "SOURCES.md")
    .map((name) => ({ adapter, name, sources, text: readFileSync(new URL(name, folder), "utf8") }));
});

type ReadResult = ContentObservation[] | ProviderAccount | "neither posts nor an account";

function calls(adapter: ProviderAdapter, read: ProviderSession): (() => Promise<ReadResult>)[] {
  const window = {
    publishedAfter: new Date("2020-01-01T00:00:00Z"),
    publishedBefore: NOW,
    cursor: null,
    maxItems: 100,
  };
  const lookUp = async (target: { kind: "id" | "shortcode"; value: string }): Promise<ReadResult> => {
    const found = await adapter.lookupContent(read, { target, withMetrics: true });
    return found.outcome === "found" ? [found.item] : [];
  };
  return [
    () => adapter.readAccount(read),
    async () => [...(await adapter.listContent(read, { ...window, withMetrics: true })).items],
    async () => [...(await adapter.readContent(read, { providerContentIds: IDS, withMetrics: true })).items],
    ...IDS.map((value) => () => lookUp({ kind: "id", value })),
    () => lookUp({ kind: "shortcode", value: "CSgfake1wVq" }),
    ...[
      () => adapter.exchangeCode(read.registration, exchange()),
      () => adapter.refreshTokens(read.registration, stored()),
      async () => adapter.revoke?.(read.registration, stored()),
    ].map((call) => async (): Promise<ReadResult> => {
      await call();
      return "neither posts nor an account";
    }),
  ];
}

describe.each(recordings)("$adapter.provider: $name", ({ adapter, name, sources, text }) => {
  it("names its source", () => {
    expect(sources).toContain(`| ${name.replace(/\.\w+$/, "")} |`);
  });

  it("is a result or a failure of every call, without any number that it does not contain", async () => {
    for (const status of STATUSES) {
      const answer = async () => new Response(text, { status, headers: { "content-type": "application/json" } });
      const read = session(registration(adapter.provider, answer));
      for (const call of calls(adapter, read)) {
        const result = await call().catch((error: unknown) => {
          expect(error).toBeInstanceOf(ProviderError);
          expect(`${(error as ProviderError).stack}`).not.toContain("canary");
          return [];
        });
        if (typeof result === "string") continue;
        if (!Array.isArray(result)) {
          expect(text).toContain(result.providerAccountId);
          continue;
        }
        for (const item of result) {
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
