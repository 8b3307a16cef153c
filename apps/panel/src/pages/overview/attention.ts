import type { SocialProvider } from "@social-connect/contract";
import type { OverviewQuery } from "../../_generated/overview.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { formatRelativeTime } from "../../ui/relativeTime.ts";
import { describeConnectResult, describeJobError } from "../health/codeDescriptions.ts";

/** Something that an admin may have to do something about. */
export interface Attention {
  /** Unlike that of any other. */
  readonly key: string;
  readonly severity: "bad" | "soon";
  readonly title: string;
  readonly detail: string;
  readonly link: AttentionLink;
}

/** The page where it can be seen or mended. */
export type AttentionLink =
  | { readonly to: "/registrations" | "/health" }
  | { readonly to: "registration"; readonly registrationId: string }
  | { readonly to: "api key"; readonly keyId: string }
  | { readonly to: "client"; readonly clientId: string };

type Counted = { readonly provider: SocialProvider; readonly count: number };

/** What needs attention, the worst first. Codes that are nobody's to mend are left to the health page. */
export function findAttention(answer: OverviewQuery, now: Date): readonly Attention[] {
  const found = [
    ...overdueJobs(answer),
    ...failedConnects(answer),
    ...failedJobs(answer),
    ...registrations(answer),
    ...fullQuotas(answer, now),
    ...retries(answer),
    ...expiringKeys(answer, now),
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
      title: `${amount(count, "job")} ${count === 1 ? "waits" : "wait"} for a worker`,
      detail: "Due for more than five minutes, and nobody takes them. Is a worker running?",
      link: { to: "/health" },
    },
  ];
}

function failedConnects({ overview: { connectAttempts } }: OverviewQuery): Attention[] {
  const failed = connectAttempts.filter(
    ({ status, resultCode }) => status === "FAILED" && isToBeMended(describeConnectResult(resultCode ?? "").concerns),
  );
  return [...byCode(failed, ({ resultCode }) => resultCode)].map(([code, { provider, count }]) => ({
    key: `connect ${code}`,
    severity: "bad",
    title: `${PROVIDER_NAMES[provider]}: ${amount(count, "attempt")} to connect failed`,
    detail: `${codeOf(code)}. ${describeConnectResult(codeOf(code)).text}`,
    link: { to: "/health" },
  }));
}

function failedJobs({ overview: { jobs } }: OverviewQuery): Attention[] {
  const failed = jobs.filter(
    ({ status, errorCode }) => status === "FAILED" && isToBeMended(describeJobError(errorCode ?? "").concerns),
  );
  return [...byCode(failed, ({ errorCode }) => errorCode)].map(([code, { provider, count }]) => ({
    key: `job ${code}`,
    severity: "bad",
    title: `${PROVIDER_NAMES[provider]}: ${amount(count, "job")} failed`,
    detail: `${codeOf(code)}. ${describeJobError(codeOf(code)).text}`,
    link: { to: "/health" },
  }));
}

function registrations({ availability }: OverviewQuery): Attention[] {
  const words: Readonly<Record<string, { readonly title: string; readonly detail: string }>> = {
    REGISTRATION_PAUSED: {
      title: "the registration is paused",
      detail: "Its connections cannot be read, and nobody can connect an account, until it is published again.",
    },
    REGISTRATION_DRAFT: {
      title: "the registration is still a draft",
      detail: "Nobody can connect an account there until it is published.",
    },
  };
  return availability.flatMap(({ provider, reason }) => {
    const said = words[reason ?? ""];
    if (said === undefined) return [];
    const severity = reason === "REGISTRATION_PAUSED" ? "bad" : "soon";
    return [
      {
        key: `registration ${provider}`,
        severity,
        title: `${PROVIDER_NAMES[provider]}: ${said.title}`,
        detail: said.detail,
        link: { to: "/registrations" },
      } as const,
    ];
  });
}

function fullQuotas({ overview: { fullQuotas: full } }: OverviewQuery, now: Date): Attention[] {
  return full.map(({ registrationId, provider, isPerAccount, count, used, units, endsAt }) => {
    const isUsedUp = used >= units;
    const state = isUsedUp ? "used up" : "nearly used up";
    const calls = `${Math.min(used, units).toLocaleString("en")} of ${amount(units, "call")}`;
    const left = isUsedUp ? "Reads wait" : "The service’s own re-reads wait, to leave the rest to callers";
    return {
      key: `quota ${registrationId}`,
      severity: isUsedUp ? "bad" : "soon",
      title: `${PROVIDER_NAMES[provider]}: the day’s calls ${isPerAccount ? `for ${amount(count, "account")} ` : ""}are ${state}`,
      detail: `${calls} are used${isPerAccount && count > 1 ? ", for the account that was read the most" : ""}. ${left}. The count begins anew ${formatRelativeTime(new Date(endsAt), now)}.`,
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
    title: `${PROVIDER_NAMES[provider]}: ${amount(count, "job")} ${count === 1 ? "waits" : "wait"} for another try`,
    detail:
      "The provider was out of reach or asked to be left alone for a while, or the calls that it allows are used up for now.",
    link: { to: "/health" },
  }));
}

function expiringKeys({ overview: { expiringApiKeys, expiringCredentials } }: OverviewQuery, now: Date): Attention[] {
  const ends = (at: string | null) => `ends ${at === null ? "soon" : formatRelativeTime(new Date(at), now)}`;
  return [
    ...expiringApiKeys.map(({ id, label, createdBy, expiresAt }) => ({
      at: expiresAt,
      item: {
        key: `api key ${id}`,
        severity: "soon",
        title: `The admin key “${label}” ${ends(expiresAt)}`,
        detail: `It acts as ${createdBy}, who has to mint the next one.`,
        link: { to: "api key", keyId: id },
      } as const,
    })),
    ...expiringCredentials.map(({ clientId, clientSlug, credential: { keyId, expiresAt } }) => ({
      at: expiresAt ?? "",
      item: {
        key: `application key ${keyId}`,
        severity: "soon",
        title: `An application key of ${clientSlug} ${ends(expiresAt)}`,
        detail: "Issue the next one, have it deployed, then revoke this one.",
        link: { to: "client", clientId },
      } as const,
    })),
  ]
    .toSorted((left, right) => left.at.localeCompare(right.at))
    .map(({ item }) => item);
}

function isToBeMended(concerns: string): boolean {
  return concerns === "provider" || concerns === "operator";
}

/** Sums by provider and code; the key holds both. */
function byCode<Row extends Counted>(rows: readonly Row[], code: (row: Row) => string | null): Map<string, Counted> {
  const sums = new Map<string, Counted>();
  for (const row of rows) {
    const key = `${row.provider} ${code(row) ?? "no code"}`;
    sums.set(key, { provider: row.provider, count: (sums.get(key)?.count ?? 0) + row.count });
  }
  return sums;
}

function codeOf(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}

function amount(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
