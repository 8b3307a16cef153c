import {
  adminClassOf,
  adminFieldsOf,
  DESCRIBED_OPERATIONS,
  type DescribedOperation,
} from "../description/adminOperations.ts";
import type { Row } from "../harness/coverage.ts";
import { values } from "./rows.ts";

const REFUSED = [
  "no-key",
  "malformed",
  "unknown",
  "wrong-secret",
  "foreign-prefix",
  "revoked",
  "removed-admin",
  "expired",
  "application-key",
] as const;

/** The records of which a case has to compare every field. */
const RECORDS = [
  "AdminClient",
  "AuditEntry",
  "AdminMember",
  "AdminRegistration",
  "AdminProviderAvailability",
  "PreviewTemplate",
  "ApiKey",
  "ClientCredential",
] as const;

/** The ids of the rows of a record's fields, e.g. `admin-field:AdminClient.slug`. */
export function fieldRows(record: (typeof RECORDS)[number]): string[] {
  return fieldsOf(record).map((field) => `admin-field:${field}`);
}

function fieldsOf(record: (typeof RECORDS)[number]): string[] {
  return adminFieldsOf(record).map((field) => `${record}.${field}`);
}

/** Whether a key of this scope may call an operation of this class, and the code of the refusal. */
function scopeWitness(name: DescribedOperation, scope: "READ" | "WRITE"): string {
  const operationClass = adminClassOf(name);
  if (operationClass === "PANEL") return "admin-reason:PANEL_ONLY";
  return operationClass === "WRITE" && scope === "READ" ? "admin-reason:API_KEY_READ_ONLY" : `admin-operation:${name}`;
}

/** Part 4, the table of admin operations, each with every kind of caller. */
export const ADMIN_OPERATION_ROWS: readonly Row[] = [
  ...values("S4", "admin-operation:", DESCRIBED_OPERATIONS),
  ...DESCRIBED_OPERATIONS.flatMap((name) => {
    const row = (who: string, ...witness: string[]): Row => ({
      id: `admin-class:${name}.${who}`,
      source: "S4, S5",
      text: `${name} (${adminClassOf(name)}) called with ${who}`,
      witness,
    });
    return [
      ...REFUSED.map((who) => row(who, "admin-code:UNAUTHENTICATED")),
      row("READ", scopeWitness(name, "READ")),
      row("WRITE", scopeWitness(name, "WRITE")),
      row("panel", `admin-operation:${name}`),
      row("panel-session", "admin-code:FORBIDDEN"),
    ];
  }),
  ...values("decisions", "admin-field:", RECORDS.flatMap(fieldsOf)),
];
