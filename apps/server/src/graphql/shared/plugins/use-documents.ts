import type { ExecutionResult, GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { Documents, ReadyDocument } from "../documents.ts";
import { isRefused } from "../documents.ts";

/**
 * Runs documents by our own book of them in place of the engine's parser, validator and executor: limits come before
 * validation, and what comes often is known by its text and compiled. `allow` throws to refuse a whole document before
 * anything of it runs.
 */
export function useDocuments<Context extends object>(
  documents: Documents,
  allow: (document: ReadyDocument, context: Context) => void | Promise<void>,
): Plugin {
  return {
    onParams({ setParamsHandler }) {
      setParamsHandler(async ({ params, context }): Promise<ExecutionResult> => {
        const document = documents.take(params.query ?? "", params.operationName ?? undefined);
        if (isRefused(document)) return { errors: document };
        try {
          await allow(document, context as unknown as Context);
        } catch (error) {
          return { data: null, errors: [error as GraphQLError] };
        }
        return document.run(params.variables ?? {}, context);
      });
    },
  };
}
