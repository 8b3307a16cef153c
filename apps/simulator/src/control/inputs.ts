import {
  FAULTS,
  type Fault,
  type FaultField,
  type FaultKind,
  ISSUER_FAULTS,
  ISSUER_REFUSALS,
} from "@social-connect/provider-fixtures";
import { z } from "zod";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";

/** Request bodies of the control API. All are strict, so that a misspelled field is an error. */

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/** `90s`, `10m`, `24h` or `7d`, in milliseconds. */
const duration = z
  .string()
  .regex(/^-?\d{1,9}[smhd]$/, "Enter a duration such as 90s, 10m, 24h or 7d.")
  .transform((text) => Number(text.slice(0, -1)) * (UNITS_MS[text.slice(-1)] ?? 0))
  .pipe(z.number().min(-TEN_YEARS_MS).max(TEN_YEARS_MS));

export const clockInput = z.union([
  z.strictObject({ advance: duration }),
  z.strictObject({ advanceMs: z.number().int().min(-TEN_YEARS_MS).max(TEN_YEARS_MS) }),
  z.strictObject({ set: z.iso.datetime().transform((text) => new Date(text)) }),
  z.strictObject({ offsetMs: z.number().int().min(-TEN_YEARS_MS).max(TEN_YEARS_MS) }),
]);

export const endGrantInput = z.strictObject({
  cause: z.enum(["revoked", "removed-app", "password-changed", "expired"]).default("password-changed"),
});

/** `at`: the time of the removal; in the past, the provider's notification is delayed. */
export const removeAppInput = z.strictObject({ at: z.iso.datetime().exactOptional() });

/** `at`: the time of the request. */
export const requestDeletionInput = z.strictObject({ at: z.iso.datetime().exactOptional() });

export const publishInput = z.strictObject({
  title: z.string().max(5_000).default("A new post"),
  text: z.string().max(5_000).default("Published just now."),
  form: z.enum(["video", "short", "live", "image", "carousel", "reel"]).optional(),
  publishedAt: z.iso.datetime().optional(),
});

export const tokenInput = z.strictObject({ token: z.string() });

export const visibilityInput = z.strictObject({ visibility: z.enum(["public", "unlisted", "private", "deleted"]) });

const KINDS = Object.keys(FAULTS) as FaultKind[];
/** Has the type that the list gives; the compiler does not follow it through the schemas. */
const fault = z.discriminatedUnion("kind", [
  faultOf("status"),
  ...KINDS.slice(1).map(faultOf),
]) as unknown as z.ZodType<Fault>;

function faultOf(kind: FaultKind) {
  const fields = Object.entries<FaultField>(FAULTS[kind].fields).map(
    ([name, field]) => [name, schemaOf(field)] as const,
  );
  return z.strictObject({ kind: z.literal(kind), ...Object.fromEntries(fields) });
}

function schemaOf(field: FaultField): z.ZodType {
  const value = plainSchemaOf(field);
  if (field.default !== undefined) return value.default(field.default);
  return field.isOptional ? value.exactOptional() : value;
}

function plainSchemaOf({ oneOf, least, most, longest, default: whenAbsent }: FaultField): z.ZodType {
  if (oneOf !== undefined) return z.enum(oneOf);
  if (least !== undefined)
    return z
      .number()
      .int()
      .min(least)
      .max(most ?? least);
  if (longest !== undefined)
    return z
      .string()
      .min(whenAbsent === undefined ? 1 : 0)
      .max(longest);
  return z.boolean();
}

export const faultInput = z.strictObject({
  provider: z.enum(PROVIDER_KEYS),
  endpoint: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).default("*"),
  account: z.string().min(1).exactOptional(),
  fault,
  count: z.number().int().min(1).max(1_000_000).default(1),
});

export const limitsInput = z.strictObject({
  unitsPerDay: z.number().int().min(0).optional(),
  callsPerMinute: z.number().int().min(0).optional(),
  callsPerHour: z.number().int().min(1).optional(),
});

export const resetInput = z.strictObject({ keepGrants: z.boolean().default(false) });

export const issuerFaultsInput = z.strictObject({ faults: z.array(z.enum([...ISSUER_FAULTS, ...ISSUER_REFUSALS])) });
