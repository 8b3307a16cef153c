import { AppError, PANEL_REQUEST_REJECTED, REQUEST_REJECTED, SIGN_IN_REQUIRED } from "@social-connect/domain";
import {
  ADMIN_DOCUMENT_LIMITS,
  apiHeadersProblem,
  checkAdminDocumentLimits,
  checkNamedDocument,
  checkOperationClasses,
  describeAdminError,
  describePanelError,
  panelHeadersProblem,
} from "@social-connect/transport";
import type { KeyActor, SessionActor } from "../../modules/admin/actor.ts";
import { findSession, isCsrfToken } from "../../modules/admin-sessions/session.ts";
import { authenticateApiKey } from "../../modules/api-keys/authenticateApiKey.ts";
import { RefusedCallError } from "../../platform/log/refusedCallError.ts";
import { type Api, type ApiPlugin, createApi } from "../shared/api.ts";
import type { CallLane } from "../shared/callLanes.ts";
import { Documents } from "../shared/documents.ts";
import type { ReportRules } from "../shared/report.ts";
import { useDocuments } from "../shared/useDocuments.ts";
import { type AdminContext, type AdminRequest, actorOf } from "./context.ts";
import { adminSchema } from "./schema.ts";

export const ADMIN_PATHS: Readonly<Record<AdminRequest["surface"], string>> = {
  api: "/api/admin/graphql",
  panel: "/panel/graphql",
};

/**
 * The admin schema's API, for keys or for the panel. The order of checks: transport, authentication, body, document
 * limits, validation, authorization of the whole document, variables, execution. Source: service description, parts 4,
 * 5 and 7.
 */
export function createAdminApi(surface: AdminRequest["surface"], lane: CallLane): Api<AdminContext> {
  const documents = new Documents({
    schema: adminSchema,
    maxTokens: ADMIN_DOCUMENT_LIMITS.tokens,
    checkLimits: checkAdminDocumentLimits,
    owners: 24,
    ownerBytes: 500_000,
    // Admin documents are few and rarely run, and the Prisma plugin needs the interpreter's `info` to select columns.
    compiledAtRun: Number.POSITIVE_INFINITY,
  });
  return createApi<AdminContext>({
    name: surface === "api" ? "admin" : "panel",
    schema: adminSchema,
    path: ADMIN_PATHS[surface],
    admit,
    checkBody: checkNamedDocument,
    plugins: [useOperationClasses(), useDocuments(documents, () => lane)],
    describe: surface === "api" ? describeAdminError : describePanelError,
    alwaysHasData: true,
    ...REPORT,
  });
}

const REPORT: Omit<ReportRules<AdminContext>, "name"> = {
  callOf: ({ actor }) => ({
    keyId: actor?.via === "key" ? actor.keyId : null,
    sessionId: actor?.via === "session" ? actor.sessionId : null,
  }),
  callerOf: ({ actor }) => ({ actor: actor?.via === "key" ? actor.keyId : actor?.memberId }),
};
export const ADMIN_REPORT: ReportRules<AdminContext> = { name: "admin", ...REPORT };

/** Rejects a document, before anything of it runs, with an operation that its key may not call. */
function useOperationClasses(): ApiPlugin<AdminContext> {
  return {
    onExecute({ args: { document, contextValue } }) {
      const actor = actorOf(contextValue.call);
      const refusal = actor.via === "key" ? checkOperationClasses(document, actor.scope) : null;
      if (refusal !== null) throw new AppError(refusal);
    },
  };
}

/** Authenticates a request before its body is read; throws to reject it. */
export async function admit(context: AdminContext): Promise<void> {
  if (context.incoming.transportProblem !== null) throw transportRefused(context.incoming.transportProblem);
  context.actor = await (context.incoming.surface === "api" ? admitKey(context) : admitPanel(context));
  context.owner = context.actor.memberId;
}

/**
 * Requires HTTPS to the admin host, one Authorization header, no cookie and a valid key; anything else about the
 * transport is FORBIDDEN. Source: service description, parts 4 and 5.
 */
async function admitKey({ service, incoming }: AdminContext): Promise<KeyActor> {
  const problem = apiHeadersProblem(incoming);
  if (problem !== null) throw transportRefused(problem);
  return authenticateApiKey(service, incoming.authorization[0] ?? null);
}

/**
 * Requires exactly the panel's own origin, the session cookie and the CSRF token, which only a page of that origin can
 * read. Keys belong to the API.
 */
async function admitPanel({ service, incoming }: AdminContext): Promise<SessionActor> {
  const problem = panelHeadersProblem(incoming, service.adminHost);
  if (problem !== null) throw forged(problem);
  const session = await findSession(service, incoming.sessionToken, { extend: !incoming.isUnattended });
  if (session === null || incoming.sessionToken === null) {
    const reason = incoming.sessionToken === null ? "missing" : "expired or unknown";
    throw new RefusedCallError(SIGN_IN_REQUIRED, { event: "panel.session_refused", reason });
  }
  if (!isCsrfToken(incoming.sessionToken, incoming.csrfToken)) throw forged("the CSRF token is missing or wrong");
  return session;
}

/** One message for every cause; the log has the reason. */
function transportRefused(reason: string): RefusedCallError {
  return new RefusedCallError(REQUEST_REJECTED, { event: "admin.transport_refused", reason });
}

function forged(reason: string): RefusedCallError {
  return new RefusedCallError(PANEL_REQUEST_REJECTED, { event: "panel.request_forged", reason });
}
