export { CASES } from "./cases/all.ts";
export {
  type ConformAllOptions,
  type Conformance,
  type ConformOptions,
  conform,
  conformAll,
  type TargetRun,
} from "./harness/conform.ts";
export type { Case, Lane } from "./harness/defineCase.ts";
export type { CaseResult } from "./harness/runner.ts";
export { summaryOf } from "./harness/summary.ts";
export type * from "./target/adminDriver.ts";
export { type OperatorOptions, openOperator } from "./target/adminOperator.ts";
export { openTargetFile, type TargetFile } from "./target/devFile.ts";
export { listenForEvents, openEvents } from "./target/eventsInPanel.ts";
export { missingPosts } from "./target/missingPosts.ts";
export { openPanelOverHttp, type PanelAddress } from "./target/panelOverHttp.ts";
export type * from "./target/target.ts";
export { ADMIN_API, CONSUMER_API } from "./wire/apis.ts";
export { type AdminOperationName, adminDocumentOf, documentOf, type OperationName } from "./wire/documents.ts";
