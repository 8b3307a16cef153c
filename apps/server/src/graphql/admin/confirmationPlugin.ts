import type { PothosOutputFieldConfig, SchemaTypes } from "@pothos/core";
import SchemaBuilder, { BasePlugin } from "@pothos/core";
import type { GraphQLFieldResolver } from "graphql";
import { requireConfirmation } from "../../modules/admin-sessions/requireConfirmation.ts";
import { securityLog } from "../../platform/securityLog.ts";
import { confirmationOf } from "./access.ts";
import type { AdminContext } from "./context.ts";
import { panelActorOf } from "./context.ts";

declare global {
  // biome-ignore lint/style/noNamespace: Pothos names its plugins in this one
  export namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      confirmation: ConfirmationPlugin<Types>;
    }
  }
}

/** Holds every field to what it declares: one that needs a confirmation does not run without one. */
export class ConfirmationPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolve: GraphQLFieldResolver<unknown, Types["Context"], object>,
    { extensions }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types["Context"], object> {
    if (confirmationOf({ extensions: extensions ?? {} }) !== "NEEDED") return resolve;
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
