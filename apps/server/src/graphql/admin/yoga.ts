import { AppError } from "@social-connect/domain";
import {
  ADMIN_DOCUMENT_LIMITS,
  checkAdminDocumentLimits,
  checkNamedDocument,
  checkOperationClasses,
  describeAdminError,
  describePanelError,
} from "@social-connect/transport";
import { type Api, type ApiPlugin, createApi } from "../shared/api.ts";
import type { CallLane } from "../shared/callLanes.ts";
import { Documents } from "../shared/documents.ts";
import { useDocuments } from "../shared/useDocuments.ts";
import { admit } from "./admit.ts";
import { type AdminContext, type AdminRequest, actorOf } from "./context.ts";
import { adminSchema } from "./schema.ts";

export const ADMIN_PATHS: Readonly<Record<AdminRequest["surface"], string>> = {
  api: "/api/admin/graphql",
  panel: "/panel/graphql",
};

/**
 * The admin schema's API, for keys or for the panel. The order of checks: transport, authentication, body, document
 * limits, validation, authorization of the whole document, variables, execution. Source: service description, parts 4,
 * 5 and 7.
 */
export function createAdminApi(surface: AdminRequest["surface"], lane: CallLane): Api<AdminContext> {
  const documents = new Documents({
    schema: adminSchema,
    maxTokens: ADMIN_DOCUMENT_LIMITS.tokens,
    checkLimits: checkAdminDocumentLimits,
    owners: 24,
    ownerBytes: 500_000,
    // Admin documents are few and rarely run, and the Prisma plugin needs the interpreter's `info` to select columns.
    compiledAtRun: Number.POSITIVE_INFINITY,
  });
  return createApi<AdminContext>({
    name: surface === "api" ? "admin" : "panel",
    schema: adminSchema,
    path: ADMIN_PATHS[surface],
    admit,
    checkBody: checkNamedDocument,
    plugins: [useOperationClasses(), useDocuments(documents, () => lane)],
    describe: surface === "api" ? describeAdminError : describePanelError,
    alwaysHasData: true,
    callOf: ({ actor }) => ({
      keyId: actor?.via === "key" ? actor.keyId : null,
      sessionId: actor?.via === "session" ? actor.sessionId : null,
    }),
    callerOf: ({ actor }) => ({ actor: actor?.via === "key" ? actor.keyId : actor?.memberId }),
  });
}

/** Rejects a document, before anything of it runs, with an operation that its key may not call. */
function useOperationClasses(): ApiPlugin<AdminContext> {
  return {
    onExecute({ args: { document, contextValue } }) {
      const actor = actorOf(contextValue.call);
      const refusal = actor.via === "key" ? checkOperationClasses(document, actor.scope) : null;
      if (refusal !== null) throw new AppError(refusal);
    },
  };
}
