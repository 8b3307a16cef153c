/** The cases that may run against a service in use, and their runner: for a package that bundles only these. */
import { CLASS_CASES } from "./cases/admin/classes.ts";
import { ADMIN_DOCUMENT_CASES } from "./cases/admin/documents.ts";
import { ADMIN_KEY_SHAPE_CASES } from "./cases/admin/keys.shape.ts";
import { ADMIN_TRANSPORT_CASES } from "./cases/admin/transport.ts";
import { AUTHENTICATION_CASES } from "./cases/authentication.ts";
import { BAD_INPUT_CASES } from "./cases/badInput.ts";
import { CONNECTION_PAGING_CASES } from "./cases/connections.paging.ts";
import { READINESS_CASES } from "./cases/readiness.ts";
import { SCOPE_CASES } from "./cases/scopes.ts";
import { DOCUMENT_CASES } from "./cases/transport.documents.ts";
import { DOCUMENT_LIMIT_CASES } from "./cases/transport.limits.ts";
import { TRANSPORT_CASES } from "./cases/transport.ts";
import type { Case } from "./harness/defineCase.ts";

export type { Case } from "./harness/defineCase.ts";
export { type CaseResult, runCases } from "./harness/runner.ts";
export type { AdminDriver } from "./target/adminDriver.ts";
export type { Application, Target } from "./target/target.ts";

export const READ_SAFE_CASES: readonly Case[] = [
  ...TRANSPORT_CASES,
  ...DOCUMENT_CASES,
  ...DOCUMENT_LIMIT_CASES,
  ...AUTHENTICATION_CASES,
  ...READINESS_CASES,
  ...SCOPE_CASES,
  ...BAD_INPUT_CASES,
  ...CONNECTION_PAGING_CASES,
  ...CLASS_CASES,
  ...ADMIN_TRANSPORT_CASES,
  ...ADMIN_DOCUMENT_CASES,
  ...ADMIN_KEY_SHAPE_CASES,
].filter(({ readSafe }) => readSafe);
