import { PROVIDER_FACTS } from "../../packages/conformance/src/description/providers.ts";
import { SOCIAL_PROVIDERS, type SocialProvider } from "../../packages/contract/src/index.ts";
import { PROVIDER_TRAITS, type ProviderSlug, providerSlug } from "../../packages/domain/src/index.ts";
import { PROVIDER_FIXTURES, type Random, randomFor } from "../../packages/provider-fixtures/src/index.ts";

const REPLICAS = ["api-1", "api-2", "worker-1", "worker-2"] as const;

/** Rounds between two checks: few enough that a violation is found near its cause. */
export const ROUNDS_BETWEEN_CHECKS = 25;

export type Round = ReturnType<typeof planRound>;
export type ProcessFault = ReturnType<typeof planFault>;
export type Journey = ReturnType<typeof planJourney>;
export type JourneyKind = (typeof KINDS)[number];
export type Step =
  | (typeof READS)[number]
  | "reconnect"
  | "end-grant"
  | "remove-app"
  | "disconnect"
  | "disconnect-at-once";

/** Past the heartbeat of the queue (10 s), after which a frozen worker's task is taken over. */
const FREEZE_WORKER_MS = [11_000, 16_000] as const;
/** Background reads come after 20 to 23 hours; a revoke is given up after 24, and that is not what is tried. */
export const NEARLY_A_DAY_MS = 23.2 * 3_600_000;
const FREEZE_API_MS = [1_000, 9_000] as const;
/** As often as they occur here. */
const KINDS = [
  ...(["link", "link", "link", "link", "link", "link", "link", "link", "link"] as const),
  ...(["revisit", "revisit", "revisit", "revisit", "abandon", "abandon", "siblings", "siblings", "siblings"] as const),
  ...(["person", "person", "burst", "flood", "admin", "identity"] as const),
];
const REVOKING = SOCIAL_PROVIDERS.filter((provider) => PROVIDER_TRAITS[provider].canRevoke);
const REFRESHING = SOCIAL_PROVIDERS.filter((provider) => PROVIDER_FIXTURES[provider].refreshTokenSeconds !== "none");
const WITH_SIBLINGS = SOCIAL_PROVIDERS.filter((provider) => PROVIDER_TRAITS[provider].revokeAffectsSiblings);

/** Where every refresh replaces the refresh token, more journeys refresh. */
function scriptsAt(provider: SocialProvider): readonly (string | null)[] {
  const { canRevoke, rotatesRefreshToken } = PROVIDER_TRAITS[provider];
  return [
    ...[null, null],
    ...(REFRESHING.includes(provider) ? ["rotating-refresh", "rotating-refresh"] : [null]),
    ...(rotatesRefreshToken ? ["rotating-refresh", "slow"] : ["flaky-5xx", "rate-limited"]),
    ...(canRevoke ? ["revoke-fails-twice"] : []),
  ];
}
const READS = ["scan", "scan-window", "metrics", "lookup", "read-all-at-once", "show"] as const;

/** The steps of a round, derived from the seed and the round's number. */
export function planRound(seed: string, number: number) {
  const random = randomFor(seed, "round", number);
  const count = random.int(4, 7);
  return {
    number,
    /** Until the next round begins. */
    lengthMs: random.int(1_500, 3_000),
    // Longer than the access tokens of `rotating-refresh` live; now and then so long that everything is read again.
    advanceMs: isDayRound(seed, number) ? NEARLY_A_DAY_MS : random.int(20_000, 45_000),
    faults: [planFault(random), ...(random.chance(0.3) ? [planFault(random)] : [])],
    providerFaults: planProviderFaults(random),
    journeys: Array.from({ length: count }, (_, index) => planJourney(random, number, index)),
  };
}

/** Once between two checks: a revoke that waited for two of them would be given up, and rightly so. */
function isDayRound(seed: string, number: number): boolean {
  const segment = Math.floor(number / ROUNDS_BETWEEN_CHECKS);
  return number % ROUNDS_BETWEEN_CHECKS === randomFor(seed, "day", segment).int(2, ROUNDS_BETWEEN_CHECKS - 1);
}

/** What happens to a process, `atMs` after the start of the round. */
function planFault(random: Random) {
  const atMs = random.int(0, 1_800);
  const roll = random.fraction();
  if (roll < 0.2) return { kind: "stop-database", atMs, forMs: random.int(0, 2_000) } as const;
  const target = random.pick(REPLICAS);
  if (roll < 0.6) return { kind: "kill", target, atMs } as const;
  if (roll < 0.75) return { kind: "terminate", target, atMs } as const;
  const [least, most] = target.startsWith("worker") ? FREEZE_WORKER_MS : FREEZE_API_MS;
  return { kind: "freeze", target, atMs, forMs: random.int(least, most) } as const;
}

/** Delays hold a call at the provider for long enough that a fault of a process falls into it. */
function planProviderFaults(random: Random) {
  const at = (providers: readonly SocialProvider[]) => providerSlug(random.pick(providers));
  const delay = (provider: ProviderSlug, endpoint: string) => ({
    ...{ provider, endpoint, count: random.int(1, 4) },
    fault: { kind: "delay", delayMs: random.int(200, 1_500) } as object,
  });
  const faults: ReturnType<typeof delay>[] = [];
  if (random.chance(0.6)) faults.push(delay(at(REFRESHING), "refresh"));
  if (random.chance(0.5)) faults.push(delay(at(REVOKING), "revoke"));
  if (random.chance(0.4)) faults.push(delay(at(SOCIAL_PROVIDERS), "token"));
  if (random.chance(0.4)) {
    const provider = random.pick(SOCIAL_PROVIDERS);
    faults.push(delay(providerSlug(provider), PROVIDER_FACTS[provider].endpoints.list[0] ?? "*"));
  }
  if (random.chance(0.15)) {
    const endpoint = random.pick(["revoke", "refresh"]);
    faults.push({ provider: at(REVOKING), endpoint, fault: { kind: "status", status: 503 }, count: 2 });
  }
  if (random.chance(0.1))
    faults.push({ provider: at(REVOKING), endpoint: "revoke", fault: { kind: "lost-answer" }, count: 1 });
  return faults;
}

/** One person's way through an application: its steps are done one after another. */
function planJourney(random: Random, round: number, index: number) {
  const kind = random.pick(KINDS);
  const provider = random.pick(kind === "siblings" ? WITH_SIBLINGS : SOCIAL_PROVIDERS);
  return {
    /** `0012-03`: all names have the same length, so that no name contains another. */
    id: `${String(round).padStart(4, "0")}-${String(index).padStart(2, "0")}`,
    kind,
    application: random.chance(0.75) ? ("demo" as const) : ("other" as const),
    provider,
    /** What the account follows at the simulator; null: it behaves well. */
    script: kind === "link" || kind === "revisit" ? random.pick(scriptsAt(provider)) : null,
    steps: planSteps(random, kind),
    /** Whose connection a `revisit` uses. */
    of: kind === "revisit" && round > 0 ? planVisited(random, round) : null,
  };
}

/** From the last rounds; whether a connection exists is determined when the step runs. */
function planVisited(random: Random, round: number): string {
  const visited = Math.max(0, round - random.int(1, 6));
  return `${String(visited).padStart(4, "0")}-${String(random.int(0, 5)).padStart(2, "0")}`;
}

function planSteps(random: Random, kind: JourneyKind): Step[] {
  const reads = Array.from({ length: random.int(1, 3) }, () => random.pick(READS));
  const end: Step[] = random.chance(0.6) ? [random.chance(0.3) ? "disconnect-at-once" : "disconnect"] : [];
  if (kind === "person") return ["scan", random.pick(["end-grant", "remove-app"]), "scan", ...end];
  if (kind === "siblings") return [random.pick(READS), "disconnect"];
  if (kind !== "link" && kind !== "revisit") return [];
  const reconnects = random.chance(kind === "link" ? 0.25 : 0.15);
  return [...reads, ...(reconnects ? ["reconnect" as const] : []), ...end];
}
