import {
  ADMIN_DOCUMENT_LIMITS,
  checkAdminDocumentLimits,
  checkOperationClasses,
  isNamedDocumentOnly,
} from "@social-connect/domain";
import { AppError } from "../../platform/appError.ts";
import { Documents } from "../shared/documents.ts";
import { createEngine } from "../shared/engine.ts";
import { useDocuments } from "../shared/plugins/use-documents.ts";
import { useEnvelope } from "../shared/plugins/use-envelope.ts";
import { useRequest } from "../shared/plugins/use-request.ts";
import { admit } from "./admit.ts";
import type { AdminContext, AdminRequest } from "./context.ts";
import { actorOf } from "./context.ts";
import { answered, refused, tooLarge } from "./envelope.ts";
import { adminSchema } from "./schema.ts";

export const ADMIN_PATHS: Readonly<Record<AdminRequest["surface"], string>> = {
  api: "/api/admin/graphql",
  panel: "/panel/graphql",
};

/**
 * The admin schema's engine, for keys or for the panel. A request meets, in this order: the way it came and who makes it,
 * then its body's shape, the limits of a document, validation, what its caller may use (for the whole document at once,
 * before anything of it runs), the variables, and the operation itself. Source: service description, parts 4, 5 and 7.
 */
export function createAdminYoga(surface: AdminRequest["surface"]) {
  const documents = new Documents({
    schema: adminSchema,
    maxTokens: ADMIN_DOCUMENT_LIMITS.tokens,
    checkLimits: checkAdminDocumentLimits,
    cache: { ownerBytes: 2_000_000, ownerEntries: 200, totalBytes: 12_000_000 },
    // Few and not hot, and what Prisma is to read is found out from the way an interpreter calls.
    compiledAtRun: Number.POSITIVE_INFINITY,
  });
  return createEngine<AdminContext>({
    schema: adminSchema,
    endpoint: ADMIN_PATHS[surface],
    plugins: [
      useRequest<AdminContext>({ admit, refuse: refuseHashOnly }),
      useDocuments<AdminContext>(documents, {
        // Who calls was checked before the body was read.
        claimedOwner: (context) => actorOf(context).memberId,
        allow: ({ document }, context) => {
          const actor = actorOf(context);
          const refusal = actor.via === "key" ? checkOperationClasses(document, actor.scope) : null;
          if (refusal !== null) throw new AppError(refusal);
          return actor.memberId;
        },
      }),
      useEnvelope({ answered, refused, tooLarge }),
    ],
  });
}

/** No document is known by its hash here (service description, part 4): the whole text has to be sent, every time. */
function refuseHashOnly(body: Readonly<Record<string, unknown>>): AppError | null {
  if (!isNamedDocumentOnly(body)) return null;
  return new AppError({
    code: "UPSTREAM_UNAVAILABLE",
    message: "The operation is not known here: send its whole text.",
  });
}
