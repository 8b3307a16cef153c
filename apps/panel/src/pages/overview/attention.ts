import type { OverviewQuery } from "../../_generated/overview.ts";
import type { ConnectionsSearch } from "../../ui/connectionsSearch.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { formatRelativeTime } from "../../ui/relativeTime.ts";
import {
  type AttentionLink,
  describeIncident,
  describeTogether,
  type Incident,
  type LinkedText,
} from "./incidentTexts.ts";

/** A problem that may require an admin's action. */
export interface Attention {
  /** Unique. */
  readonly key: string;
  readonly severity: "bad" | "soon";
  readonly title: string;
  readonly detail: string;
  readonly link: AttentionLink;
  /** Whom an incident concerns. */
  readonly affected?: LinkedText | null;
  /** The registration of an incident, if `link` is another page. */
  readonly registration?: LinkedText | null;
  readonly notes?: readonly string[];
  /** An incident of several registrations of a provider: that of each. */
  readonly parts?: readonly Attention[];
}

/** The path of a link. */
export function pageOf(link: AttentionLink): string {
  switch (link.to) {
    case "client keys":
      return `/clients/${link.clientId}/keys`;
    case "registration":
      return `/registrations/${link.registrationId}`;
    case "api key":
      return `/api-keys/${link.keyId}`;
    default:
      return link.to;
  }
}

/** The search parameters of a link. */
export function searchOf(link: AttentionLink): ConnectionsSearch {
  return link.to === "/connections" ? link.search : {};
}

/** Shown instead of an empty list. */
export const NOTHING_TO_DO = {
  title: "Nothing needs your attention",
  detail: "No incidents, no paused registrations, and no keys that expire within two weeks.",
} as const;

/** Problems that continue, most severe first. Failures that no one has to resolve are only shown on the health page. */
export function findAttention(data: OverviewQuery, now: Date): readonly Attention[] {
  const found = [
    ...incidents(data, now),
    ...registrations(data),
    ...fullQuotas(data, now),
    ...reconnects(data, now),
    ...expiringKeys(data, now),
  ];
  return found.toSorted((left, right) => rank(left) - rank(right));
}

function rank({ severity }: Attention): number {
  return severity === "bad" ? 0 : 1;
}

function incidents({ overview }: OverviewQuery, now: Date): Attention[] {
  const groups = new Map<string, Incident[]>();
  for (const incident of overview.incidents.filter(({ endedAt }) => endedAt === null)) {
    const { id, cause, provider, detail, registrationId } = incident;
    const key = [cause, provider, detail, registrationId === null ? id : ""].join(" ");
    groups.set(key, [...(groups.get(key) ?? []), incident]);
  }
  return [...groups].flatMap(([key, members]) => {
    const parts = members.map((incident) => ({ key: incident.id, ...describeIncident(incident, now) }));
    if (parts.length === 1) return parts;
    const together = describeTogether(members, now);
    const isSaid = (note: string) => together.notes.includes(note);
    return {
      key,
      ...together,
      parts: parts.map((part) => ({ ...part, notes: part.notes.filter((note) => !isSaid(note)) })),
    };
  });
}

function registrations({ availability }: OverviewQuery): Attention[] {
  const descriptions: Readonly<Record<string, Pick<Attention, "severity" | "title" | "detail">>> = {
    REGISTRATION_PAUSED: {
      severity: "bad",
      title: "the registration is paused",
      detail: "Until it is published again, its connections cannot be read and no accounts can be connected.",
    },
    REGISTRATION_DRAFT: {
      severity: "soon",
      title: "the registration is still a draft",
      detail: "No accounts can be connected until it is published.",
    },
  };
  return availability.flatMap(({ provider, reason }): Attention[] => {
    const description = descriptions[reason ?? ""];
    if (description === undefined) return [];
    const title = `${PROVIDER_NAMES[provider]}: ${description.title}`;
    return [{ ...description, key: `registration ${provider}`, title, link: { to: "/registrations" } }];
  });
}

/** Used up for background reads, which is before the incident. */
function fullQuotas({ overview }: OverviewQuery, now: Date): Attention[] {
  const isIncident = (id: string) =>
    overview.incidents.some(
      ({ cause, registrationId, endedAt }) => cause === "QUOTA_USED_UP" && registrationId === id && endedAt === null,
    );
  const full = overview.fullQuotas.filter(({ registrationId }) => !isIncident(registrationId));
  return full.map(({ registrationId, provider, isPerAccount, count, used, units, endsAt }) => {
    const isExhausted = used >= units;
    const state = isExhausted ? "exhausted" : "nearly exhausted";
    const calls = `${Math.min(used, units).toLocaleString("en")} of ${amount(units, "call")}`;
    const effect = isExhausted ? "Reads are delayed" : "Background reads are delayed; the rest is reserved for callers";
    return {
      key: `quota ${registrationId}`,
      severity: isExhausted ? "bad" : "soon",
      title: `${PROVIDER_NAMES[provider]}: the daily quota ${isPerAccount ? `for ${amount(count, "account")} ` : ""}is ${state}`,
      detail: `${calls} used${isPerAccount && count > 1 ? ", for the most-read account" : ""}. ${effect}. Resets ${formatRelativeTime(new Date(endsAt), now)}.`,
      link: { to: "registration", registrationId },
    };
  });
}

/** Credentials whose end the provider named. */
function reconnects({ overview }: OverviewQuery, now: Date): Attention[] {
  return overview.foreseenReconnects.map(({ provider, count, firstAt, hasMore }) => ({
    key: `reconnects ${provider}`,
    severity: "soon",
    title: `${PROVIDER_NAMES[provider]}: ${hasMore ? "at least " : ""}${amount(count, "connection")} will need a reconnect within a week`,
    detail: `The ${count === 1 ? "" : "first "}consent ends ${formatRelativeTime(new Date(firstAt), now)}. ${count === 1 ? "The user has" : "Their users have"} to connect again.`,
    link: { to: "/connections", search: { provider, consent: "ending" } },
  }));
}

/** One row for each kind of key: many keys would hide the other problems. */
function expiringKeys({ overview }: OverviewQuery, now: Date): Attention[] {
  const rows = [
    ...expiringRow(
      overview.expiringApiKeys,
      ({ id, label, createdBy }) => ({
        key: `api key ${id}`,
        noun: "admin key",
        title: `The admin key “${label}”`,
        detail: `It acts as ${createdBy}, who has to rotate it.`,
        link: { to: "api key", keyId: id },
      }),
      ([first]) => ({
        detail: `The first is “${first?.label}”. Each acts as the admin who has to rotate it.`,
        link: { to: "/api-keys" },
      }),
      now,
    ),
    ...expiringRow(
      overview.expiringCredentials.map((key) => ({ ...key, ...key.credential })),
      ({ keyId, clientId, clientSlug }) => ({
        key: `application key ${keyId}`,
        noun: "application key",
        title: `An application key of ${clientSlug}`,
        detail: "Rotate it: issue a new key, deploy it, then revoke this one.",
        link: { to: "client keys", clientId },
      }),
      (keys) => ({
        detail: `Keys of ${namesOf(keys)}. Rotate each: issue a new key, deploy it, then revoke the old one.`,
      }),
      now,
    ),
  ];
  return rows.toSorted(byExpiry).map(({ expiresAt: _, ...row }) => ({ ...row, severity: "soon" }));
}

interface Expiring {
  readonly expiresAt: string | null;
}

type Row = Omit<Attention, "severity">;

function byExpiry(left: Expiring, right: Expiring): number {
  return (left.expiresAt ?? "").localeCompare(right.expiresAt ?? "");
}

/** One key as `single` describes it; of several, the first to expire and what `several` changes. */
function expiringRow<Key extends Expiring>(
  keys: readonly Key[],
  single: (key: Key) => Row & { readonly noun: string },
  several: (sorted: readonly Key[]) => Partial<Row>,
  now: Date,
): (Row & Expiring)[] {
  const sorted = keys.toSorted(byExpiry);
  const [first] = sorted;
  if (first === undefined) return [];
  const { expiresAt } = first;
  const { noun, title, ...row } = single(first);
  const when = expiresAt === null ? "soon" : formatRelativeTime(new Date(expiresAt), now);
  if (keys.length === 1) return [{ ...row, expiresAt, title: `${title} expires ${when}` }];
  const many = `${amount(keys.length, noun)} expire within two weeks, the first ${when}`;
  return [{ ...row, ...several(sorted), expiresAt, title: many }];
}

const MOST_NAMED_CLIENTS = 3;

function namesOf(keys: readonly { readonly clientSlug: string }[]): string {
  const slugs = [...new Set(keys.map(({ clientSlug }) => clientSlug))];
  const rest = slugs.length - MOST_NAMED_CLIENTS;
  const named = slugs.slice(0, MOST_NAMED_CLIENTS).join(", ");
  return rest > 0 ? `${named} and ${amount(rest, "more client")}` : named;
}

function amount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
