import { inSpan } from "../../platform/log/telemetry.ts";
import type { ApiPlugin } from "./api.ts";
import type { CallContext } from "./callContext.ts";
import { type CallLane, runInTurn } from "./callLanes.ts";
import type { Documents, ReadyDocument } from "./documents.ts";
import { measured } from "./measured.ts";

/**
 * Reads the document of a call within its limits, and executes it when it is its owner's turn. Documents of a known owner
 * are read once and compiled when they run often.
 */
export function useDocuments(
  documents: Documents,
  laneOf: (document: ReadyDocument) => CallLane,
): ApiPlugin<CallContext> {
  return {
    onParse({ context: { call, params }, params: { source }, setParsedDocument }) {
      const { record, owner } = call;
      const onLabel = (label: string) => {
        record.operation = label;
      };
      const document = measured(record, () => documents.get(String(source), owner, params.operationName, onLabel));
      call.document = document;
      setParsedDocument(document.document);
    },
    onValidate({ setResult }) {
      // onParse accepts valid documents only.
      setResult([]);
    },
    onExecute({ args, setExecuteFn }) {
      const { call } = args.contextValue;
      const { owner, document, record, service } = call;
      if (document === null) throw new Error("A document runs that was not read.");
      const run = (own: CallContext, known = document) =>
        measured(record, () => known.run(args.variableValues ?? {}, own));
      if (owner === null) return setExecuteFn(() => run(call));
      const known = documents.keep(owner, document);
      return setExecuteFn(() =>
        runInTurn(laneOf(known), owner, known, call, (own) =>
          inSpan(service.telemetry, known.label, "internal", () => run(own, known)),
        ),
      );
    },
  };
}
