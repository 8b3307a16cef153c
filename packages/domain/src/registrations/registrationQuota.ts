import { about } from "../audit/about.ts";
import { changesOf } from "../audit/changes.ts";
import { type AuditedChange, auditedChange } from "../decisions/change.ts";
import { type AdminRefusal, invalidField, notFound } from "../decisions/refusal.ts";
import { PROVIDER_TRAITS, type ProviderQuota } from "../providers/providerTraits.ts";
import type { StoredRegistration } from "./changes.ts";
import { describeRegistration } from "./registration.ts";

/** The windows of a quota as the admin API names them. */
const WINDOWS = { MINUTE: "minute", DAY: "day", PACIFIC_DAY: "pacific-day" } as const;
/** What has its own budget, as the admin API names it. */
const SCOPES = { REGISTRATION: "client", READ: "read", ACCOUNT: "account" } as const;

export const QUOTA_WINDOWS = Object.keys(WINDOWS) as readonly QuotaWindowName[];
export type QuotaWindowName = keyof typeof WINDOWS;
export const QUOTA_SCOPES = Object.keys(SCOPES) as readonly QuotaScopeName[];
export type QuotaScopeName = keyof typeof SCOPES;

export const MAX_QUOTA_UNITS = 100_000_000;
export const MAX_QUOTA_RESERVE = 0.9;

/** A registration's own quota as the admin API takes and shows it; null where the provider's default applies. */
export interface QuotaInput {
  readonly units?: number | null | undefined;
  readonly window?: QuotaWindowName | null | undefined;
  readonly per?: QuotaScopeName | null | undefined;
  readonly reserve?: number | null | undefined;
}

/** A registration's own quota as stored: only what differs from the provider's default. */
export type QuotaOverride = { readonly [Name in keyof ProviderQuota]?: ProviderQuota[Name] | undefined };

export function effectiveQuota(usual: ProviderQuota, override: QuotaOverride | null): ProviderQuota {
  const { units = usual.units, window = usual.window, per = usual.per, reserve = usual.reserve } = override ?? {};
  return { units, window, per, reserve };
}

/** The units of a budget that background reads may use. Rounded first: 10 × (1 - 0.9) is 0.9999999999999998. */
export function backgroundUnits({ units, reserve }: Pick<ProviderQuota, "units" | "reserve">): number {
  return Math.floor(Number((units * (1 - reserve)).toFixed(6)));
}

export function shownQuota({ units, window, per, reserve }: ProviderQuota) {
  return { units, window: nameOf(WINDOWS, window), per: nameOf(SCOPES, per), reserve };
}

export function shownOverride(override: QuotaOverride | null) {
  const { units = null, window = null, per = null, reserve = null } = override ?? {};
  return {
    units,
    window: window && nameOf(WINDOWS, window),
    per: per && nameOf(SCOPES, per),
    reserve,
  };
}

export function checkQuota({ units, reserve }: QuotaInput): AdminRefusal | null {
  if (units != null && !(Number.isInteger(units) && units >= 1 && units <= MAX_QUOTA_UNITS)) {
    return invalidField("units", `\`units\` must be between 1 and ${MAX_QUOTA_UNITS.toLocaleString("en")}.`);
  }
  if (reserve != null && !(reserve >= 0 && reserve <= MAX_QUOTA_RESERVE)) {
    return invalidField("reserve", `\`reserve\` must be between 0 and ${MAX_QUOTA_RESERVE}.`);
  }
  return null;
}

/**
 * Replaces a registration's own quota, also of a published one: a pause would fail its reads. null resets all of it to the
 * provider's default. It is not part of what a publication checks, so it does not count as a change of the registration.
 */
export function decideSetQuota(
  registration: (StoredRegistration & { readonly quota: QuotaOverride | null }) | null,
  input: QuotaInput | null,
): AdminRefusal | AuditedChange<{ readonly quota: QuotaOverride | null }> {
  if (registration === null) return notFound("The registration");
  const { units, window, per, reserve } = input ?? {};
  const quota: QuotaOverride = {
    ...(units != null && { units }),
    ...(window != null && { window: WINDOWS[window] }),
    ...(per != null && { per: SCOPES[per] }),
    ...(reserve != null && { reserve }),
  };
  const isReset = Object.keys(quota).length === 0;
  const usual = PROVIDER_TRAITS[registration.provider].quota;
  const parts = Object.entries(quota).map(
    ([name, value]) => `${name} ${value} (default ${usual[name as keyof QuotaOverride]})`,
  );
  const described = describeRegistration(registration);
  const summary = isReset
    ? `Reset the quota of ${described} to the provider's default.`
    : `Changed the quota of ${described}: ${parts.join(", ")}.`;
  const changes = changesOf(effectiveQuota(usual, registration.quota), effectiveQuota(usual, quota));
  const audit = about("REGISTRATION", registration.id, "Registration quota changed", summary, changes);
  return auditedChange({ quota: isReset ? null : quota }, audit);
}

function nameOf<Names extends Readonly<Record<string, string>>>(names: Names, value: Names[keyof Names]): keyof Names {
  const found = Object.keys(names).find((name) => names[name] === value);
  if (found === undefined) throw new Error(`No name for ${value}.`);
  return found;
}
