import type { ExecutionResult, GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";
import { inSpan } from "../../../platform/telemetry.ts";
import type { Documents, ReadyDocument } from "../documents.ts";
import { isRefused } from "../documents.ts";
import { measured } from "../measured.ts";
import type { EnvelopeContext } from "./use-envelope.ts";
import type { Authentication } from "./use-request.ts";

/** Authorization of documents, and the owners whose cached documents may be used: ids of applications or admins. */
export interface DocumentAccess<Context> {
  /** The owner that a request claims to come from, before authentication; null for an unknown one. */
  readonly claimedOwner: (context: Context) => string | null;
  readonly authentication?: Authentication<Context>;
  /**
   * Throws to reject a whole document before it runs. Returns the owner to cache it for; null for an unauthenticated
   * caller.
   */
  readonly allow: (document: ReadyDocument, context: Context) => string | null | Promise<string | null>;
  /** Runs the document for its owner with `execute` when it is the owner's turn, or throws to reject it. */
  readonly inTurn: (
    owner: string,
    document: ReadyDocument,
    context: Context,
    execute: (context: Context) => Promise<ExecutionResult>,
  ) => Promise<ExecutionResult>;
  /**
   * Throws after the document ran or was rejected, to replace its result: for a caller whose authentication is part of the
   * run.
   */
  readonly confirm?: (context: Context) => Promise<void>;
}

/**
 * Replaces the engine's parser, validator and executor: limits are checked before validation, and the documents of
 * authenticated callers are cached and compiled.
 */
export function useDocuments<Context extends EnvelopeContext>(
  documents: Documents,
  { claimedOwner, authentication, allow, inTurn, confirm }: DocumentAccess<Context>,
): Plugin {
  return {
    onParams({ setParamsHandler }) {
      setParamsHandler(async ({ params, context: engineContext }): Promise<ExecutionResult> => {
        const context = engineContext as unknown as Context;
        const text = params.query ?? "";
        const variables = params.variables ?? {};
        try {
          await authentication?.beforePreparing(text, context);
          const document = measured(context.record, () =>
            documents.get(text, claimedOwner(context), params.operationName ?? undefined),
          );
          if (isRefused(document)) {
            await authentication?.beforeRefusing(text, context);
            return { errors: document };
          }
          context.record.operation = document.label;
          const owner = await allow(document, context);
          if (owner === null) return await document.run(variables, context);
          const runnable = documents.cache(owner, text, document);
          const result = await inTurn(owner, runnable, context, (own) =>
            inSpan(context.service.telemetry, document.label, "internal", () =>
              measured(context.record, () => runnable.run(variables, own)),
            ),
          ).catch(rejected);
          await confirm?.(context);
          return result;
        } catch (error) {
          return rejected(error);
        }
      });
    },
  };
}

function rejected(error: unknown): ExecutionResult {
  return { data: null, errors: [error as GraphQLError] };
}
