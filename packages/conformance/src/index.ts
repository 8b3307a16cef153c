export { CASES } from "./cases/all.ts";
export { conform } from "./harness/conform.ts";
export { openOperator } from "./target/adminOperator.ts";
export { listenForEvents } from "./target/eventsInPanel.ts";
export { missingPosts } from "./target/simulator.ts";
export type * from "./target/target.ts";
export { ADMIN_API, CONSUMER_API } from "./wire/apis.ts";
export { type AdminOperationName, adminDocumentOf, documentOf, type OperationName } from "./wire/documents.ts";
