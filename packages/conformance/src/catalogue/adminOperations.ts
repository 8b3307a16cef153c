import type { Row } from "../harness/coverage.ts";
import { adminClassOf, DESCRIBED_OPERATIONS, RECORD_FIELDS } from "../wire/adminOperations.ts";
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

/** Whether a key of this scope may call an operation of this class, and what it is told where it may not. */
function scopeWitness(name: (typeof DESCRIBED_OPERATIONS)[number], scope: "READ" | "WRITE"): string {
  const operationClass = adminClassOf(name);
  if (operationClass === "PANEL") return "admin-reason:PANEL_ONLY";
  return operationClass === "WRITE" && scope === "READ" ? "admin-reason:API_KEY_READ_ONLY" : `admin-operation:${name}`;
}

/** Part 4, the table of admin operations, each with everybody who might call it. */
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
  ...Object.entries(RECORD_FIELDS).flatMap(([record, fields]) =>
    values(
      "decisions",
      "admin-field:",
      fields.split(" ").map((field) => `${record}.${field}`),
    ),
  ),
];
