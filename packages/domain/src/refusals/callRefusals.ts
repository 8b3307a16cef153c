import type { Capability, ConnectionStatus } from "@social-connect/contract";
import { foreignText } from "../text/foreignText.ts";
import { addMs, hasPassed } from "../time/time.ts";

/** A kind of call at a provider. A refusal of one says nothing about the others. */
export const CALL_KINDS = ["TOKEN", "ACCOUNT", "LIST", "METRICS", "LOOKUP"] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/** The capability that a kind of call serves; null for those without which the connection cannot be used at all. */
const SERVES: Readonly<Record<CallKind, Capability | null>> = {
  TOKEN: null,
  ACCOUNT: null,
  LIST: "CONTENT_LIST",
  METRICS: "CONTENT_METRICS",
  LOOKUP: "CONTENT_LOOKUP",
};

/** Calls of one kind that were all refused, as stored in JSON: times are ISO 8601. */
export interface CallRefusal {
  /** The last good answer of the kind, or else the first refusal. */
  readonly goodAt: string;
  readonly since: string;
  readonly lastAt: string;
  /** Refusals at least an hour apart, and when the last of them was counted. */
  readonly attempts: number;
  readonly countedAt: string;
  /** As the provider sent them, cleaned. */
  readonly code: string | null;
  readonly message: string | null;
  /** When the rule ended the capability or the connection; null before. */
  readonly endedAt: string | null;
}
export type CallRefusals = Readonly<Partial<Record<CallKind, CallRefusal>>>;

/** A refusal of most connections of a registration. */
export interface RegistrationRefusal extends ProviderAnswer {
  readonly since: string;
}
export type RegistrationRefusals = Readonly<Partial<Record<CallKind, RegistrationRefusal>>>;

/** What the provider sent with a refusal. */
export interface ProviderAnswer {
  readonly code: string | null;
  readonly message: string | null;
}

/** The code and the message on one line. */
export function describeAnswer({ code, message }: ProviderAnswer): string {
  return [code ?? "no code", message].filter((part) => part !== null).join(": ");
}

/** The refusals of a connection as text; null without any. */
export function describeRefusals(refusals: CallRefusals): string | null {
  const lines = Object.entries(refusals).map(
    ([kind, refusal]) => `${kind} ${describeAnswer(refusal)}, ${refusal.attempts} times since ${refusal.since}`,
  );
  return lines.join("; ") || null;
}

/** How the latest calls of one kind ended for other connections of the registration. */
interface OtherCalls {
  /** Other connections that were tried within the last hour. */
  readonly tried: number;
  /** Those of `tried` whose latest call was refused. */
  readonly refused: number;
  /** The latest good answer for another connection. */
  readonly answeredAt: Date | null;
}

export const REFUSALS_APART_MS = 3_600_000;
export const REFUSED_FOR_MS = 24 * 3_600_000;
/** Connections that must have been tried within an hour before most of them count as the registration. */
const MIN_TRIED = 3;

const MAX_MESSAGE_LENGTH = 200;
const MARKUP = /<\/?[a-z][^<>]{0,500}>/gi;
/** A word that may be a token or an id. */
const IDENTIFYING = /[\w~+=-]{24,1024}|\d{9,23}/g;

/**
 * A provider's message as it may be stored and displayed: on one line, at most 200 characters, without the values that the
 * request sent (`secrets`) and without anything that may be a token, an id or an email address.
 */
export function refusalMessage(text: unknown, secrets: readonly string[] = []): string | null {
  const read = foreignText(text, 4 * MAX_MESSAGE_LENGTH);
  if (read === null) return null;
  const known = secrets.filter((secret) => secret.length > 3).reduce((rest, one) => rest.replaceAll(one, "…"), read);
  const line = known
    .replace(MARKUP, "")
    .split(/\s/)
    .filter((word) => word !== "")
    .map(hideIdentity)
    .join(" ");
  return foreignText(line, MAX_MESSAGE_LENGTH);
}

function hideIdentity(word: string): string {
  return word.includes("@") && !word.startsWith("@") && !word.endsWith("@") ? "…" : word.replace(IDENTIFYING, "…");
}

/** What a refused call means for its connection. */
export interface RefusedCall {
  /**
   * - `COUNTED`: it may pass
   * - `ENDED`: the connection or the capability has ended
   * - `REGISTRATION`: the provider refuses most connections, so it does not concern this one
   */
  readonly verdict: "COUNTED" | "ENDED" | "REGISTRATION";
  readonly refusals: CallRefusals;
  /** When the next attempt can decide. */
  readonly nextTryAt: Date;
}

/**
 * Counts a refusal whose code we do not know. It ends what it concerns when all calls of the kind were refused in two
 * attempts at least an hour apart, and there was no good answer for a day, while other connections are read. If most
 * connections that were tried within an hour are refused, or no other one is read, it concerns the registration.
 */
export function decideRefusedCall(
  call: {
    readonly kind: CallKind;
    readonly answer: ProviderAnswer;
    readonly before: CallRefusals;
    /** The last good answer of this kind; null if it is not known. */
    readonly goodAt: Date | null;
    readonly others: readonly TriedConnection[];
  },
  now: Date,
): RefusedCall {
  const { kind, answer, before } = call;
  const others = countCalls(kind, call.others, now);
  const known = before[kind];
  const at = now.toISOString();
  const isCounted = known === undefined || hasPassed(addMs(new Date(known.countedAt), REFUSALS_APART_MS), now);
  const counted = {
    goodAt: known?.goodAt ?? (call.goodAt ?? now).toISOString(),
    since: known?.since ?? at,
    lastAt: at,
    attempts: (known?.attempts ?? 0) + (isCounted ? 1 : 0),
    countedAt: isCounted ? at : known.countedAt,
    ...answer,
    endedAt: known?.endedAt ?? null,
  };
  const aDayAfter = addMs(new Date(counted.goodAt), REFUSED_FOR_MS);
  const isLasting = counted.attempts >= 2 && hasPassed(aDayAfter, now);
  const isRead = others.answeredAt !== null && others.answeredAt > new Date(counted.since);
  const most = isMostRefused({ tried: others.tried + 1, refused: others.refused + 1 });
  const isOfRegistration = most || (isLasting && !isRead && counted.endedAt === null);
  const isEnded = !isOfRegistration && (counted.endedAt !== null || (isLasting && isRead));
  const refusal: CallRefusal = { ...counted, endedAt: isEnded ? (counted.endedAt ?? at) : counted.endedAt };
  const anHourLater = addMs(now, REFUSALS_APART_MS);
  return {
    verdict: isOfRegistration ? "REGISTRATION" : isEnded ? "ENDED" : "COUNTED",
    refusals: { ...before, [kind]: refusal },
    nextTryAt: hasPassed(aDayAfter, anHourLater) ? anHourLater : aDayAfter,
  };
}

function isMostRefused({ tried, refused }: { readonly tried: number; readonly refused: number }): boolean {
  return tried >= MIN_TRIED && refused > tried / 2;
}

/** What a read needs to know of the registration: its refusals, and its other connections that were tried lately. */
export interface RegistrationCalls {
  readonly refusals: RegistrationRefusals;
  readonly others: readonly TriedConnection[];
}

/** A connection as the latest calls left it. */
export interface TriedConnection {
  readonly triedAt: Date | null;
  readonly refusals: CallRefusals;
  readonly lastSuccessfulSyncAt: Date | null;
  readonly profileObservedAt: Date | null;
}

/** Whether most connections are read again, one of which was answered now. */
export function areMostRead(kind: CallKind, connections: readonly TriedConnection[], now: Date): boolean {
  const { tried, refused } = countCalls(kind, connections, now);
  return !isMostRefused({ tried: tried + 1, refused });
}

function countCalls(kind: CallKind, others: readonly TriedConnection[], now: Date): OtherCalls {
  const from = addMs(now, -REFUSALS_APART_MS);
  let [tried, refused] = [0, 0];
  let answeredAt: Date | null = null;
  for (const other of others) {
    const refusal = other.refusals[kind];
    const isRefused = refusal !== undefined && new Date(refusal.lastAt) > from;
    const good = refusal === undefined ? answerOf(kind, other) : null;
    if (isRefused || (good !== null && good > from)) tried += 1;
    if (isRefused) refused += 1;
    if (good !== null && (answeredAt === null || good > answeredAt)) answeredAt = good;
  }
  return { tried, refused, answeredAt };
}

/** The last good answer of a kind of call. A call that is made at all shows that the token is valid. */
export function answerOf(kind: CallKind, connection: Omit<TriedConnection, "refusals">): Date | null {
  switch (kind) {
    case "ACCOUNT":
      return connection.profileObservedAt;
    case "LIST":
    case "METRICS":
      return connection.lastSuccessfulSyncAt;
    case "TOKEN":
    case "LOOKUP":
      return connection.triedAt;
  }
}

/** The refusals that remain after good answers. */
export function withoutAnswered<Refusals extends object>(refusals: Refusals, answered: readonly CallKind[]): Refusals {
  const rest = Object.entries(refusals).filter(([kind]) => !answered.includes(kind as CallKind));
  return Object.fromEntries(rest) as Refusals;
}

/** Capabilities that a lasting refusal has ended. */
export function endedCapabilities(refusals: CallRefusals | undefined): Capability[] {
  return CALL_KINDS.flatMap((kind) => (refusals?.[kind]?.endedAt ? (SERVES[kind] ?? []) : []));
}

/** Whether a kind of call ends the whole connection. */
export function endsConnection(kind: CallKind): boolean {
  return SERVES[kind] === null;
}

/** Whether a lasting refusal, and not the provider, says that the connection needs a reconnect. */
export function isEndedByRefusals(connection: {
  readonly status: ConnectionStatus;
  readonly refusals?: CallRefusals;
}): boolean {
  if (connection.status !== "RECONNECT_REQUIRED") return false;
  return CALL_KINDS.some((kind) => endsConnection(kind) && connection.refusals?.[kind]?.endedAt);
}

/** The connection as a requested read finds it: readable if refusals ended it. */
export function asAskedFor<Row extends { readonly status: ConnectionStatus; readonly refusals?: CallRefusals }>(
  connection: Row,
): Row {
  return isEndedByRefusals(connection) ? { ...connection, status: "CONNECTED" } : connection;
}
