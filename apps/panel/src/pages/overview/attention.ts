import type { SocialProvider } from "@social-connect/contract";
import type { OverviewQuery } from "../../_generated/overview.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { formatRelativeTime } from "../../ui/relativeTime.ts";
import type { CodeDescription } from "../health/codeDescriptions.ts";
import { describeConnectResult, describeJobError } from "../health/codeDescriptions.ts";

/** A problem that may require an admin's action. */
export interface Attention {
  /** Unique. */
  readonly key: string;
  readonly severity: "bad" | "soon";
  readonly title: string;
  readonly detail: string;
  readonly link: AttentionLink;
}

/** The page that shows or resolves the problem. */
export type AttentionLink =
  | { readonly to: "/registrations" | "/health" }
  | { readonly to: "registration"; readonly registrationId: string }
  | { readonly to: "api key"; readonly keyId: string }
  | { readonly to: "client"; readonly clientId: string };

type Counted = { readonly provider: SocialProvider; readonly count: number };

/** Problems, most severe first. Failures that no one has to resolve are only shown on the health page. */
export function findAttention(data: OverviewQuery, now: Date): readonly Attention[] {
  const found = [
    ...overdueJobs(data),
    ...failedConnects(data),
    ...failedJobs(data),
    ...registrations(data),
    ...fullQuotas(data, now),
    ...retries(data),
    ...expiringKeys(data, now),
  ];
  return found.toSorted((left, right) => rank(left) - rank(right));
}

function rank({ severity }: Attention): number {
  return severity === "bad" ? 0 : 1;
}

function overdueJobs({ overview: { overdueJobs: count } }: OverviewQuery): Attention[] {
  if (count === 0) return [];
  return [
    {
      key: "overdue",
      severity: "bad",
      title: `${amount(count, "job")} ${count === 1 ? "is" : "are"} waiting for a worker`,
      detail: "Due for more than five minutes. Check that a worker is running.",
      link: { to: "/health" },
    },
  ];
}

function failedConnects({ overview: { connectAttempts } }: OverviewQuery): Attention[] {
  const failed = connectAttempts.filter(({ status }) => status === "FAILED");
  return failures("connect attempt", failed, ({ resultCode }) => resultCode, describeConnectResult);
}

function failedJobs({ overview: { jobs } }: OverviewQuery): Attention[] {
  const failed = jobs.filter(({ status }) => status === "FAILED");
  return failures("job", failed, ({ errorCode }) => errorCode, describeJobError);
}

/** The failures that someone has to resolve, summed by provider and code. */
function failures<Row extends Counted>(
  noun: string,
  failed: readonly Row[],
  codeOf: (row: Row) => string | null,
  describe: (code: string) => CodeDescription,
): Attention[] {
  const sums = new Map<string, Counted & { readonly code: string }>();
  for (const row of failed) {
    const { provider } = row;
    const code = codeOf(row) ?? "no code";
    const { actor } = describe(code);
    if (actor !== "provider" && actor !== "operator") continue;
    const key = `${noun} ${provider} ${code}`;
    sums.set(key, { provider, code, count: (sums.get(key)?.count ?? 0) + row.count });
  }
  return [...sums].map(([key, { provider, code, count }]) => ({
    key,
    severity: "bad",
    title: `${PROVIDER_NAMES[provider]}: ${amount(count, noun)} failed`,
    detail: `${code}. ${describe(code).text}`,
    link: { to: "/health" },
  }));
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

function fullQuotas({ overview: { fullQuotas: full } }: OverviewQuery, now: Date): Attention[] {
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

function retries({ overview: { jobs } }: OverviewQuery): Attention[] {
  const waiting = new Map<SocialProvider, number>();
  for (const { provider, waitingToRetry } of jobs) {
    if (waitingToRetry > 0) waiting.set(provider, (waiting.get(provider) ?? 0) + waitingToRetry);
  }
  return [...waiting].map(([provider, count]) => ({
    key: `retries ${provider}`,
    severity: "soon",
    title: `${PROVIDER_NAMES[provider]}: ${amount(count, "job")} ${count === 1 ? "is" : "are"} waiting for a retry`,
    detail: "The provider was unavailable or rate-limited the service, or its quota is exhausted.",
    link: { to: "/health" },
  }));
}

function expiringKeys({ overview: { expiringApiKeys, expiringCredentials } }: OverviewQuery, now: Date): Attention[] {
  const expires = (at: string | null) => `expires ${at === null ? "soon" : formatRelativeTime(new Date(at), now)}`;
  const adminKeys = expiringApiKeys.map(({ id, label, createdBy, expiresAt }) => ({
    expiresAt,
    key: `api key ${id}`,
    title: `The admin key “${label}” ${expires(expiresAt)}`,
    detail: `It acts as ${createdBy}, who has to mint its replacement.`,
    link: { to: "api key", keyId: id } as const,
  }));
  const applicationKeys = expiringCredentials.map(({ clientId, clientSlug, credential: { keyId, expiresAt } }) => ({
    expiresAt: expiresAt ?? "",
    key: `application key ${keyId}`,
    title: `An application key of ${clientSlug} ${expires(expiresAt)}`,
    detail: "Issue a new key, deploy it, then revoke this one.",
    link: { to: "client", clientId } as const,
  }));
  return [...adminKeys, ...applicationKeys]
    .toSorted((left, right) => left.expiresAt.localeCompare(right.expiresAt))
    .map(({ expiresAt: _, ...item }) => ({ ...item, severity: "soon" }));
}

function amount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
