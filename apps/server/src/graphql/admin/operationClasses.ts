import type { AdminOperationClass } from "@social-connect/contract";
import { checkOperationClasses as checkClasses } from "@social-connect/domain";
import type { DocumentNode, GraphQLSchema, OperationTypeNode } from "graphql";
import type { KeyActor, SessionActor } from "../../modules/admin/actor.ts";
import { AppError } from "../../platform/appError.ts";
import { accessOf } from "./access.ts";

/** What refuses a whole document to a key, before anything of it runs; null when all of it may. */
export function checkOperationClasses(
  document: DocumentNode,
  schema: GraphQLSchema,
  actor: KeyActor | SessionActor,
): AppError | null {
  if (actor.via === "session") return null;
  const refusal = checkClasses(document, actor.scope, (operation, name) => classOf(schema, operation, name));
  return refusal && new AppError(refusal);
}

/** A field without a class is taken for the panel's. `__typename` is no field of the schema's own, and tells nothing. */
function classOf(schema: GraphQLSchema, operation: string, name: string): AdminOperationClass | null {
  const field = schema.getRootType(operation as OperationTypeNode)?.getFields()[name];
  return field === undefined ? null : (accessOf(field) ?? "PANEL");
}
