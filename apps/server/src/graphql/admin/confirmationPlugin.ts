import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from "@pothos/core";
import { findAdminOperation } from "@social-connect/contract";
import type { GraphQLFieldResolver } from "graphql";
import { requireConfirmation } from "../../modules/admin-sessions/session.ts";
import { securityLog } from "../../platform/log/securityLog.ts";
import { type AdminContext, panelActorOf } from "./context.ts";

declare global {
  // biome-ignore lint/style/noNamespace: Pothos names its plugins in this one
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      confirmation: ConfirmationPlugin<Types>;
    }
  }
}

/** Runs an operation that needs a confirmation only for an admin who signed in within the last five minutes. */
export class ConfirmationPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    { kind, name }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    if (kind !== "Query" && kind !== "Mutation") return resolve;
    const operation = findAdminOperation(name);
    // Without an entry, an API key could call the operation.
    if (operation === null) throw new Error(`Add ${name} to ADMIN_OPERATIONS in packages/contract/src/operations.ts.`);
    if (!operation.needsConfirmation) return resolve;
    return async (parent, args, context, info) => {
      const { service, correlationId } = context as AdminContext;
      const actor = panelActorOf(context as AdminContext);
      try {
        requireConfirmation(actor, await service.clock.now());
      } catch (error) {
        const { sessionId, memberId } = actor;
        const operation = info.fieldName;
        const fields = { correlationId, operation, sessionId, memberId };
        securityLog(service).record("panel.confirmation_missing", fields, sessionId);
        throw error;
      }
      return resolve(parent, args, context, info);
    };
  }
}

SchemaBuilder.registerPlugin("confirmation", ConfirmationPlugin);
