import { CONTENT_FIELDS } from "../../packages/domain/src/index.ts";

/** Where two answers differ, and how. */
export interface Difference {
  readonly path: string;
  readonly leader: unknown;
  readonly follower: unknown;
}

/** URLs and their placeholders. */
type Addresses = Readonly<Record<string, string>>;

const TOLERANCE_SECONDS = 15;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const TOKEN = new RegExp(
  [
    UUID.source,
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/.source,
    /[0-9a-f]{64}/.source,
    /API key [0-9a-f]{8}/.source,
  ].join("|"),
  "g",
);
const DATE = /^\d{4}-\d\d-\d\dT/;

const COMPARED_CONTENT: readonly string[] = ["canonicalUrl", "title", "description", "publishedAt"];

/** Fields compared only for presence, because they differ by side or with each response. */
const OWN = new Set([
  "correlationId",
  "x-correlation-id",
  "endCursor",
  "continuationCursor",
  "avatarUrl",
  "pictureUrl",
  "displayName of profile",
  "description of profile",
  "handle",
  "profileUrl",
  "clientIdHint",
  "bound",
  ...CONTENT_FIELDS.filter((name) => !COMPARED_CONTENT.includes(name)),
]);
/** Names that the providers gave: they have no common form, and each has one partner. */
const PAIRED = new Set([
  "providerAccountId",
  "providerContentId",
  "resultProviderContentId",
  "canonicalUrl",
  "url",
  "idpSub",
]);
/** Messages that end in the error of the provider, which has other words at the mocks' simulated provider. */
const DETAILED = new Set(["problem"]);
/** How a return URL or a tenant is registered: by the panel or `dev` at the server, by an option in the mocks. */
const REMEDY = / (?:Register|Add) (?:yours|it) (?:in the admin panel|to `application\.).*$/;
/** Numbers that an account's seed decides. */
const COUNTS = new Set(["value"]);

/**
 * Compares two responses of one step. Ids and tokens may differ, but each must map to the same counterpart throughout
 * the sequence; timestamps may differ by a tolerance. The sides have data of different ages from before `beganAt`.
 */
export function startComparison(addresses: readonly [leader: Addresses, follower: Addresses], beganAt: Date) {
  const toFollower = new Map<string, string>();
  const toLeader = new Map<string, string>();
  let toleranceMs = 0;
  let found: Difference[] = [];

  /** Maps two strings to each other. False if one of them already has another counterpart. */
  const pair = (leader: string, follower: string): boolean => {
    const [known, back] = [toFollower.get(leader), toLeader.get(follower)];
    if (known === undefined && back === undefined) {
      toFollower.set(leader, follower);
      toLeader.set(follower, leader);
      return true;
    }
    return known === follower && back === leader;
  };

  const walk = (leader: unknown, follower: unknown, path: string): void => {
    if (Array.isArray(leader) && Array.isArray(follower)) walkList(leader, follower, path);
    else if (isRecord(leader) && isRecord(follower)) {
      for (const key of new Set([...Object.keys(leader), ...Object.keys(follower)]))
        walk(leader[key], follower[key], path === "" ? key : `${path}.${key}`);
    } else if (!isSame(leader, follower, path)) found.push({ path, leader, follower });
  };

  /** For lists of different length, the first entry without a counterpart is the most useful difference. */
  const walkList = (leader: readonly unknown[], follower: readonly unknown[], path: string): void => {
    if (leader.length !== follower.length)
      found.push({ path: `${path}.length`, leader: leader.length, follower: follower.length });
    for (let index = 0; index < Math.max(leader.length, follower.length); index += 1) {
      walk(leader[index], follower[index], `${path}[${index}]`);
      if (leader.length !== follower.length && found.length > 1) return;
    }
  };

  const isSame = (leader: unknown, follower: unknown, path: string): boolean => {
    if (leader === follower) return typeof leader !== "string" || !isForeignPair(leader);
    const name = path.slice(path.lastIndexOf(".") + 1);
    if (OWN.has(name) || OWN.has(`${name} of ${path.split(".").at(-2) ?? ""}`))
      return isThere(leader) === isThere(follower);
    if (typeof leader === "number" && typeof follower === "number" && name === "retryAfterSeconds") {
      const toleranceSeconds = Math.max(TOLERANCE_SECONDS, toleranceMs / 1_000);
      return Math.min(leader, follower) > TOLERANCE_SECONDS && Math.abs(leader - follower) <= toleranceSeconds;
    }
    if (typeof leader !== "string" || typeof follower !== "string") return false;
    if (PAIRED.has(name) || path === "atOnce.id") return pair(leader, follower);
    if (DETAILED.has(name)) return withoutDetail(leader) === withoutDetail(follower);
    if (name === "message" && REMEDY.test(leader) && REMEDY.test(follower))
      return isSame(leader.replace(REMEDY, ""), follower.replace(REMEDY, ""), path);
    if (COUNTS.has(name)) return /^\d+$/.test(leader) && /^\d+$/.test(follower);
    if (DATE.test(leader) && DATE.test(follower)) return isSameMoment(leader, follower);
    return isSameText(withoutAddresses(leader, 0), withoutAddresses(follower, 1));
  };

  /** True for an id that is equal on both sides, although it is mapped to another counterpart. */
  const isForeignPair = (text: string) => (toFollower.get(text) ?? text) !== text;

  const isSameMoment = (leader: string, follower: string): boolean => {
    const [one, other] = [Date.parse(leader), Date.parse(follower)];
    const isOlder = Math.max(one, other) < beganAt.getTime();
    return isOlder || Math.abs(one - other) <= toleranceMs;
  };

  /** Strings that only differ in ids, tokens and timestamps. */
  const isSameText = (leader: string, follower: string): boolean => {
    if (leader === follower || toFollower.get(leader) === follower) return true;
    const [ones, others] = [leader.match(TOKEN) ?? [], follower.match(TOKEN) ?? []];
    if (leader.split(TOKEN).join("\u0000") !== follower.split(TOKEN).join("\u0000"))
      return isSameWithNames(leader, follower);
    return ones.every((one, index) => {
      const other = others[index] ?? "";
      if (DATE.test(one)) return isSameMoment(one, other);
      return one === other || pair(one, other);
    });
  };

  /** The names that were given at the providers (post ids, account ids) have no common form: each is replaced by its partner. */
  const isSameWithNames = (leader: string, follower: string): boolean => {
    let replaced = leader;
    for (const [one, other] of toFollower) if (one.length >= 8) replaced = replaced.replaceAll(one, other);
    return replaced === follower;
  };

  const withoutAddresses = (text: string, side: 0 | 1): string =>
    Object.entries(addresses[side]).reduce((replaced, [address, word]) => replaced.replaceAll(address, word), text);

  return {
    compare: (leader: unknown, follower: unknown, tolerance: number): readonly Difference[] => {
      toleranceMs = tolerance;
      found = [];
      walk(leader, follower, "");
      return found;
    },
  };
}

function withoutDetail(text: string): string {
  return text.replace(/: .*$/s, "");
}

function isThere(value: unknown): boolean {
  return value !== null && value !== undefined && value !== "";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
