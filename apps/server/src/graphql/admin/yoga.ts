import { AppError } from "@social-connect/domain";
import {
  ADMIN_DOCUMENT_LIMITS,
  checkAdminDocumentLimits,
  checkNamedDocument,
  checkOperationClasses,
  describeAdminError,
  describePanelError,
} from "@social-connect/transport";
import type { CallLane } from "../shared/callLanes.ts";
import { runInTurn } from "../shared/callLanes.ts";
import { Documents } from "../shared/documents.ts";
import { createEngine } from "../shared/engine.ts";
import { useDocuments } from "../shared/plugins/use-documents.ts";
import { useEnvelope } from "../shared/plugins/use-envelope.ts";
import { useRequest } from "../shared/plugins/use-request.ts";
import { admit } from "./admit.ts";
import type { AdminContext, AdminRequest } from "./context.ts";
import { actorOf } from "./context.ts";
import { adminSchema } from "./schema.ts";

export const ADMIN_PATHS: Readonly<Record<AdminRequest["surface"], string>> = {
  api: "/api/admin/graphql",
  panel: "/panel/graphql",
};

/**
 * The admin schema's engine, for keys or for the panel. The order of checks: transport, authentication, body, document
 * limits, validation, authorization of the whole document, variables, execution. Source: service description, parts 4,
 * 5 and 7.
 */
export function createAdminYoga(surface: AdminRequest["surface"], lane: CallLane) {
  const documents = new Documents({
    schema: adminSchema,
    maxTokens: ADMIN_DOCUMENT_LIMITS.tokens,
    checkLimits: checkAdminDocumentLimits,
    cache: { ownerBytes: 2_000_000, ownerEntries: 200, totalBytes: 12_000_000 },
    // Admin documents are few and rarely run, and the Prisma plugin needs the interpreter's `info` to select columns.
    compiledAtRun: Number.POSITIVE_INFINITY,
  });
  return createEngine<AdminContext>({
    schema: adminSchema,
    endpoint: ADMIN_PATHS[surface],
    plugins: [
      useRequest<AdminContext>({ admit, checkBody: checkNamedDocument }),
      useDocuments<AdminContext>(documents, {
        // The caller was authenticated before the body was read.
        claimedOwner: (context) => actorOf(context).memberId,
        allow: ({ document }, context) => {
          const actor = actorOf(context);
          const refusal = actor.via === "key" ? checkOperationClasses(document, actor.scope) : null;
          if (refusal !== null) throw new AppError(refusal);
          return actor.memberId;
        },
        inTurn: (admin, document, context, execute) => runInTurn(lane, admin, document, context, execute),
      }),
      useEnvelope<AdminContext>({
        alwaysHasData: true,
        callOf: ({ actor }) => ({
          api: surface === "api" ? "admin" : "panel",
          keyId: actor?.via === "key" ? actor.keyId : null,
          sessionId: actor?.via === "session" ? actor.sessionId : null,
        }),
        callerOf: ({ actor }) => ({ actor: actor?.via === "key" ? actor.keyId : actor?.memberId }),
        describe: surface === "api" ? describeAdminError : describePanelError,
      }),
    ],
  });
}
