import {
  ADMIN_DOCUMENT_LIMITS,
  checkAdminDocumentLimits,
  checkOperationClasses,
  isNamedDocumentOnly,
} from "@social-connect/domain";
import type { GraphQLSchema } from "graphql";
import { ADMIN_SCHEMA_TEXT } from "../_generated/adminSchema.ts";
import { adminTransportProblem } from "../http/adminTransport.ts";
import { sessionTokenOf } from "../http/cookies.ts";
import { InvalidInputError } from "../modules/admin/errors.ts";
import { csrfToken, findSession } from "../modules/admin-sessions/sessions.ts";
import { authenticateAdminKey } from "../modules/api-keys/authenticateAdminKey.ts";
import { ServiceError } from "../modules/errors.ts";
import type { AdminContext } from "./adminResolvers.ts";
import { adminResolvers } from "./adminResolvers.ts";
import { Documents } from "./documents.ts";
import type { GraphqlApi } from "./graphqlApi.ts";
import { executableSchema } from "./schema.ts";

export const CSRF_HEADER = "x-csrf-token";

/** The message for every argument and document does not name the field (service description, part 7). */
const INVALID_MESSAGE = "The request is not valid.";

let schema: GraphQLSchema | undefined;
let documents: Documents | undefined;

function adminSchema(): GraphQLSchema {
  schema ??= executableSchema(ADMIN_SCHEMA_TEXT, adminResolvers);
  return schema;
}

const shared = {
  name: "admin",
  schema: adminSchema,
  documents: () => {
    documents ??= new Documents(adminSchema(), checkAdminDocumentLimits, ADMIN_DOCUMENT_LIMITS.tokens);
    return documents;
  },
  contextOf: () => {
    throw new Error("The admin API authenticates before it reads the body.");
  },
  inspectBody: (body) => {
    if (!isNamedDocumentOnly(body)) return;
    const message = "The operation is not known here: send its whole text.";
    throw new ServiceError({ code: "UPSTREAM_UNAVAILABLE", message });
  },
  alwaysData: true,
} satisfies Partial<GraphqlApi<AdminContext>>;

/** The admin API, for keys. Source: service description, parts 4 and 5. */
export const adminApi: GraphqlApi<AdminContext> = {
  ...shared,
  callerId: ({ actor }) => (actor.via === "key" ? actor.keyId : actor.memberId),
  admit: (world, request) => {
    const { headers } = request;
    const header = headers.get("authorization");
    const { authorizations = header === null ? [] : [header] } = request;
    const isRefused =
      adminTransportProblem(world.settings, request) || headers.has("cookie") || authorizations.length > 1;
    if (isRefused) throw forbidden();
    return { world, actor: authenticateAdminKey(world, authorizations[0] ?? null) };
  },
  refusalOf: (document, { actor }) => {
    if (actor.via !== "key") return null;
    const refusal = checkOperationClasses(document, actor.scope);
    return refusal && new ServiceError(refusal);
  },
  describe: (error) => (error.extensions.code === "BAD_USER_INPUT" ? { ...error, message: INVALID_MESSAGE } : error),
};

/** The same schema for the panel's pages: a session's cookie, the panel's own origin, and its token. */
export const panelApi: GraphqlApi<AdminContext> = {
  ...shared,
  callerId: adminApi.callerId,
  admit: (world, request) => {
    const { headers } = request;
    const isOwnPage = headers.get("origin") === new URL(world.settings.adminHost).origin;
    if (adminTransportProblem(world.settings, request) || !isOwnPage || headers.has("authorization")) throw forbidden();
    const token = sessionTokenOf(world.settings, request);
    const session = findSession(world, token);
    if (session === null || token === null) {
      throw new ServiceError({ code: "UNAUTHENTICATED", message: "Sign in to go on." });
    }
    if (headers.get(CSRF_HEADER) !== csrfToken(token)) throw forbidden();
    return { world, actor: session.actor };
  },
  describe: (error, original) => {
    if (!(original instanceof InvalidInputError) || original.field === null) return error;
    return { ...error, extensions: { ...error.extensions, field: original.field } };
  },
};

/** The same message for every reason. */
function forbidden(): ServiceError {
  return new ServiceError({ code: "FORBIDDEN", message: "The request must not be made in this way." });
}
