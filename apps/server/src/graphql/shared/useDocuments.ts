import type { Plugin } from "graphql-yoga";
import { inSpan } from "../../platform/telemetry.ts";
import type { CallContext } from "./callContext.ts";
import type { CallLane } from "./callLanes.ts";
import { runInTurn } from "./callLanes.ts";
import type { Documents, ReadyDocument } from "./documents.ts";
import { measured } from "./measured.ts";

/**
 * Reads the document of a call within its limits, and executes it when it is its owner's turn. Documents of a known owner
 * are read once and compiled when they run often.
 */
export function useDocuments(
  documents: Documents,
  laneOf: (document: ReadyDocument) => CallLane,
): Plugin<CallContext, CallContext> {
  return {
    onParse({ context, params: { source }, extendContext, setParsedDocument }) {
      const { record, owner, params } = context;
      const document = measured(record, () => documents.get(String(source), owner, params.operationName));
      extendContext({ document });
      record.operation = document.label;
      setParsedDocument(document.document);
    },
    onValidate({ setResult }) {
      // onParse accepts valid documents only.
      setResult([]);
    },
    onExecute({ args, setExecuteFn }) {
      const context: CallContext = args.contextValue;
      const { owner, document, record, service } = context;
      if (document === null) throw new Error("A document runs that was not read.");
      const run = (own: CallContext, known = document) =>
        measured(record, () => known.run(args.variableValues ?? {}, own));
      if (owner === null) return setExecuteFn(() => run(context));
      const known = documents.keep(owner, document);
      return setExecuteFn(() =>
        runInTurn(laneOf(known), owner, known, context, (own) =>
          inSpan(service.telemetry, known.label, "internal", () => run(own, known)),
        ),
      );
    },
  };
}
