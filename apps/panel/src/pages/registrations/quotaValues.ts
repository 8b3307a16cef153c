import { MAX_QUOTA_RESERVE, MAX_QUOTA_UNITS } from "@social-connect/domain";
import type { SetRegistrationQuotaMutationVariables } from "../../_generated/registrations.ts";
import type { RegistrationDetail } from "./queries.ts";

export type Quota = RegistrationDetail["quota"];
type QuotaInput = NonNullable<SetRegistrationQuotaMutationVariables["quota"]>;

export const WINDOW_NAMES: Readonly<Record<Quota["window"], string>> = {
  MINUTE: "a minute",
  DAY: "a day (UTC)",
  PACIFIC_DAY: "a day (Pacific time)",
};
export const PER_NAMES: Readonly<Record<Quota["per"], string>> = {
  REGISTRATION: "The registration",
  READ: "Each read of the API",
  ACCOUNT: "Each account",
};

export const draftNameOf = (registrationId: string): string => `registration-${registrationId}-quota`;

/** The form's values. Empty: the provider's default. Field names match the service's, so that failures are shown at their field. */
export interface QuotaValues extends Record<string, unknown> {
  units: number | "";
  window: Quota["window"] | null;
  per: Quota["per"] | null;
  /** In percent. */
  reserve: number | "";
}

export const DEFAULTS: QuotaValues = { units: "", window: null, per: null, reserve: "" };

export function quotaValuesOf({ units, window, per, reserve }: RegistrationDetail["quotaOverride"]): QuotaValues {
  return { units: units ?? "", window, per, reserve: reserve === null ? "" : asPercent(reserve) };
}

/** null resets the quota. */
export function quotaInputOf({ units, window, per, reserve }: QuotaValues): QuotaInput | null {
  if (units === "" && window === null && per === null && reserve === "") return null;
  return { units: units === "" ? null : units, window, per, reserve: reserve === "" ? null : reserve / 100 };
}

/** Validates the form before it is sent; the service validates it again. */
export function findQuotaGaps({ units, reserve }: QuotaValues): Partial<Record<"units" | "reserve", string>> {
  const isWrongUnits = units !== "" && !(Number.isInteger(units) && units >= 1 && units <= MAX_QUOTA_UNITS);
  const mostPercent = asPercent(MAX_QUOTA_RESERVE);
  const isWrongReserve = reserve !== "" && !(reserve >= 0 && reserve <= mostPercent);
  return {
    ...(isWrongUnits && { units: `Enter a whole number from 1 to ${MAX_QUOTA_UNITS.toLocaleString("en")}.` }),
    ...(isWrongReserve && { reserve: `Enter a number from 0 to ${mostPercent}.` }),
  };
}

export function asPercent(part: number): number {
  return Math.round(part * 10_000) / 100;
}

export interface ClientUse {
  readonly key: string;
  readonly clientId: string;
  readonly clientSlug: string;
  /** null: all reads share the budget. */
  readonly read: string | null;
  readonly used: number;
  readonly share: number;
}

/** A row for each client of each budget. */
export function usesByClient(budgets: RegistrationDetail["quotaUse"]): ClientUse[] {
  return budgets.flatMap(({ read, clients }) =>
    clients.map((client) => ({ key: `${read ?? ""} ${client.clientId}`, read, ...client })),
  );
}
