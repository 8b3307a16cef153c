import type { AdminOperationClass } from "@social-connect/contract";
import { ADMIN_OPERATION_CLASSES } from "@social-connect/contract";
import type { GraphQLField } from "graphql";

/** Whether an operation of the panel needs a sign-in at the issuer of at most 5 minutes ago. */
export type Confirmation = "NEEDED" | "NOT_NEEDED";

interface Access {
  readonly access: AdminOperationClass;
  /** Declared by every operation of the panel, and by no other: a key confirms nothing (service description, part 5). */
  readonly confirmation?: Confirmation;
}

/** The class of a root field, declared where the field is: `extensions: READ`. Source: service description, part 4. */
export const READ = { access: "READ" } as const satisfies Access;
export const WRITE = { access: "WRITE" } as const satisfies Access;
/**
 * An operation of the panel that gives nobody access and sends no credential anywhere new: it reads, takes access away, or
 * writes a draft. See `docs/decisions/panel-confirmations.md`.
 */
export const PANEL = { access: "PANEL", confirmation: "NOT_NEEDED" } as const satisfies Access;
/** An operation of the panel that could give someone else access, or send credentials somewhere new. */
export const PANEL_CONFIRMED = { access: "PANEL", confirmation: "NEEDED" } as const satisfies Access;

/** The declared class of a root field; null where none was declared. */
export function accessOf(field: GraphQLField<unknown, unknown>): AdminOperationClass | null {
  const declared = field.extensions["access"];
  return ADMIN_OPERATION_CLASSES.find((known) => known === declared) ?? null;
}

/** Whether a root field declares that it needs a confirmation; null where nothing was declared. */
export function confirmationOf({
  extensions,
}: Pick<GraphQLField<unknown, unknown>, "extensions">): Confirmation | null {
  const declared = extensions["confirmation"];
  return declared === "NEEDED" || declared === "NOT_NEEDED" ? declared : null;
}
