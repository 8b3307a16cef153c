import { CASES, conform } from "@social-connect/conformance";
import { expect, test } from "vitest";
import { MOCK_TARGETS } from "./targets.ts";

/** Transports within the process cannot send raw bytes. */
const NEEDS_A_SOCKET = "raw-socket";
/** Only some transports have the admin API, and no mock has the panel's sign-in. */
const OF_ADMINS = ["admin", "panel-session"] as const;
/**
 * Cases about the transport: bodies, headers, responses, redirects and cookies. All transports share the rules, so only
 * the first one runs every case here; `pnpm conformance --all` runs every case with every transport.
 */
const TRANSPORT_CASES = [
  /^S4\.transport|^S8\.body|^S7\.(?:invalid-document|envelope|fallback|no-internals)/,
  /^S5\.(?:admin\.shape|shape|missing|two-headers|status)|^S2\.(?:launchToken|identity)/,
  /^S3\.(?:attempt|identity)\.(?:return|callback|foreign-browser|two-tabs|completed-unicode|failed-huge-code)/,
];
const TIMELINE = new Set(CASES.filter((one) => one.lane === "timeline").map((one) => one.id));

test.each(MOCK_TARGETS.map((target, index) => ({ ...target, isFirst: index === 0 })))(
  "the $name does what the service description says",
  { timeout: 300_000 },
  async ({ open, isFirst }) => {
    const target = await open();
    try {
      const only = (id: string) => isFirst || (TRANSPORT_CASES.some((one) => one.test(id)) && !TIMELINE.has(id));
      const run = await conform(target, CASES, { parallel: 1, only });
      const failed = run.results.filter((result) => result.outcome === "failed");
      expect(failed.map(({ id, failure }) => ({ id, failure }))).toEqual([]);
      const consumer = run.results.filter((result) => !OF_ADMINS.some((need) => result.missing?.includes(need)));
      const left = consumer.filter((result) => result.outcome === "skipped");
      expect(left.flatMap((result) => result.missing ?? []).filter((need) => need !== NEEDS_A_SOCKET)).toEqual([]);
      expect(left.length).toBeLessThan(target.rawSocket ? 1 : 5);
      expect(consumer.length).toBeGreaterThan(isFirst ? 500 : 150);
    } finally {
      await target.close();
    }
  },
);
