import type { ExecutionResult, GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Documents, ReadyDocument } from "../documents.ts";
import { isRefused } from "../documents.ts";

/** Who may use which documents. Owners are ids of applications or admins. */
export interface DocumentAccess<Context> {
  /** The owner that a request claims to come from, and whose cached documents it is looked up in; null for none. */
  readonly claimedOwner: (context: Context) => string | null;
  /**
   * Throws to refuse a whole document before anything of it runs. Gives the owner to cache it for; null where the caller
   * is not authenticated.
   */
  readonly allow: (document: ReadyDocument, context: Context) => string | null | Promise<string | null>;
}

/**
 * Runs documents in place of the engine's parser, validator and executor: limits come before validation, and the documents
 * of authenticated callers are cached and compiled.
 */
export function useDocuments<Context extends object>(
  documents: Documents,
  { claimedOwner, allow }: DocumentAccess<Context>,
): Plugin {
  return {
    onParams({ setParamsHandler }) {
      setParamsHandler(async ({ params, context: engineContext }): Promise<ExecutionResult> => {
        const context = engineContext as unknown as Context;
        const text = params.query ?? "";
        const document = documents.take(text, claimedOwner(context), params.operationName ?? undefined);
        if (isRefused(document)) return { errors: document };
        let owner: string | null;
        try {
          owner = await allow(document, context);
        } catch (error) {
          return { data: null, errors: [error as GraphQLError] };
        }
        const runnable = owner === null ? document : documents.keep(owner, text, document);
        return runnable.run(params.variables ?? {}, context);
      });
    },
  };
}
