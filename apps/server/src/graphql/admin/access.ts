import type { AdminOperationClass } from "@social-connect/contract";
import { ADMIN_OPERATION_CLASSES } from "@social-connect/contract";
import type { GraphQLField } from "graphql";

/** The class of a root field, declared where the field is: `extensions: READ`. Source: service description, part 4. */
export const READ = { access: "READ" } as const satisfies { access: AdminOperationClass };
export const WRITE = { access: "WRITE" } as const satisfies { access: AdminOperationClass };
export const PANEL = { access: "PANEL" } as const satisfies { access: AdminOperationClass };

/** The declared class of a root field; null where none was declared. */
export function accessOf(field: GraphQLField<unknown, unknown>): AdminOperationClass | null {
  const declared = field.extensions["access"];
  return ADMIN_OPERATION_CLASSES.find((known) => known === declared) ?? null;
}
