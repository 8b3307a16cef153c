import { AppError, REQUEST_REJECTED, SIGN_IN_REQUIRED } from "@social-connect/domain";
import {
  ADMIN_DOCUMENT_LIMITS,
  type AdminHeaders,
  apiHeadersProblem,
  CSRF_HEADER,
  checkAdminDocumentLimits,
  checkNamedDocument,
  checkOperationClasses,
  describeAdminError,
  describePanelError,
  panelHeadersProblem,
} from "@social-connect/transport";
import { ADMIN_SCHEMA_TEXT } from "../_generated/adminSchema.ts";
import { arrivalProblem } from "../http/adminTransport.ts";
import { sessionTokenOf } from "../http/cookies.ts";
import type { Incoming } from "../http/exchange.ts";
import { csrfToken, findSession } from "../modules/admin-sessions/sessions.ts";
import { authenticateAdminKey } from "../modules/api-keys/apiKeys.ts";
import { lazy } from "../util/lazy.ts";
import { type AdminContext, adminResolvers } from "./adminResolvers.ts";
import { Documents } from "./documents.ts";
import type { GraphqlApi } from "./graphqlApi.ts";
import { executableSchema } from "./schema.ts";

const schema = lazy(() => executableSchema(ADMIN_SCHEMA_TEXT, adminResolvers));

const shared = {
  name: "admin",
  schema,
  documents: lazy(
    () =>
      new Documents({
        schema: schema(),
        maxTokens: ADMIN_DOCUMENT_LIMITS.tokens,
        checkLimits: checkAdminDocumentLimits,
      }),
  ),
  contextOf: () => {
    throw new Error("The admin API authenticates before it reads the body.");
  },
  checkBody: checkNamedDocument,
  alwaysHasData: true,
} satisfies Partial<GraphqlApi<AdminContext>>;

/** The admin API, for keys. Source: service description, parts 4 and 5. */
export const adminApi: GraphqlApi<AdminContext> = {
  ...shared,
  callerId: ({ actor }) => (actor.via === "key" ? actor.keyId : actor.memberId),
  admit: (world, request) => {
    const arrived = headersOf(request);
    if (arrivalProblem(world.settings, request) !== null || apiHeadersProblem(arrived) !== null) throw forbidden();
    return { world, actor: authenticateAdminKey(world, arrived.authorization[0] ?? null) };
  },
  refusalOf: (document, { actor }) => {
    if (actor.via !== "key") return null;
    const refusal = checkOperationClasses(document, actor.scope);
    return refusal && new AppError(refusal);
  },
  describe: describeAdminError,
};

/** The same schema for the panel's pages: a session's cookie, the panel's own origin, and its token. */
export const panelApi: GraphqlApi<AdminContext> = {
  ...shared,
  callerId: adminApi.callerId,
  admit: (world, request) => {
    const { headers } = request;
    if (
      arrivalProblem(world.settings, request) !== null ||
      panelHeadersProblem(headersOf(request), world.settings.adminHost) !== null
    ) {
      throw forbidden();
    }
    const token = sessionTokenOf(world.settings, request);
    const session = findSession(world, token);
    if (session === null || token === null) {
      throw new AppError(SIGN_IN_REQUIRED);
    }
    if (headers.get(CSRF_HEADER) !== csrfToken(token)) throw forbidden();
    return { world, actor: session.actor };
  },
  describe: describePanelError,
};

function headersOf({ headers, authorizations }: Incoming): AdminHeaders {
  const valuesOf = (name: string) => (headers.has(name) ? [headers.get(name) ?? ""] : []);
  return {
    authorization: authorizations ?? valuesOf("authorization"),
    hasCookie: headers.has("cookie"),
    origin: valuesOf("origin"),
  };
}

/** The same message for every reason. */
function forbidden(): AppError {
  return new AppError(REQUEST_REJECTED);
}
