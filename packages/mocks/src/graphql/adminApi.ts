import { API_KEY_OPERATIONS } from "@social-connect/contract";
import { AppError, REQUEST_REJECTED } from "@social-connect/domain";
import {
  ADMIN_DOCUMENT_LIMITS,
  adminTransportProblem,
  apiHeadersProblem,
  checkAdminDocumentLimits,
  checkNamedDocument,
  checkOperationClasses,
  describeAdminError,
  describePanelError,
} from "@social-connect/transport";
import { ADMIN_SCHEMA_TEXT } from "../_generated/adminSchema.ts";
import type { Incoming } from "../http/exchange.ts";
import type { PanelActor } from "../modules/admin/actor.ts";
import { authenticateAdminKey } from "../modules/api-keys/apiKeys.ts";
import { lazy } from "../util/lazy.ts";
import type { World } from "../world/world.ts";
import { type AdminContext, adminResolvers } from "./adminResolvers.ts";
import { documentReader } from "./documents.ts";
import { answerDirectly, type GraphqlApi } from "./graphqlApi.ts";
import { executableSchema } from "./schema.ts";

/** A mock has no panel: of the operations that only the panel calls, it has those by which an admin changes what keys see. */
const schema = lazy(() =>
  executableSchema(ADMIN_SCHEMA_TEXT, adminResolvers, (field) => Object.hasOwn(API_KEY_OPERATIONS, field)),
);

/** The admin API, for keys. Source: service description, parts 4 and 5. */
export const adminApi: GraphqlApi<AdminContext> = {
  name: "admin",
  schema,
  readDocument: documentReader(() => ({
    schema: schema(),
    maxTokens: ADMIN_DOCUMENT_LIMITS.tokens,
    checkLimits: checkAdminDocumentLimits,
  })),
  readsKeyFirst: true,
  contextOf: (world, request) => {
    const authorization = authorizationsOf(request);
    if (!mayArrive(world, request, authorization)) throw new AppError(REQUEST_REJECTED);
    return { world, actor: authenticateAdminKey(world, authorization[0] ?? null) };
  },
  refusalOf: (document, { actor }) => {
    if (actor.via !== "key") return null;
    const refusal = checkOperationClasses(document, actor.scope);
    return refusal && new AppError(refusal);
  },
  callerId: ({ actor }) => (actor.via === "key" ? actor.keyId : actor.memberId),
  checkBody: checkNamedDocument,
  alwaysHasData: true,
  describe: describeAdminError,
};

/** Runs a document as an admin in the panel, and gives the body of the response. */
export function answerInPanel(world: World, actor: PanelActor, body: object): unknown {
  return answerDirectly(world, { ...adminApi, describe: describePanelError }, { world, actor }, JSON.stringify(body));
}

/** A mock has no proxies, and its transports are as safe as its admin host. */
function mayArrive({ settings }: World, { headers, url }: Incoming, authorization: readonly string[]): boolean {
  const { adminHost } = settings;
  const problem = adminTransportProblem(adminHost, {
    hosts: [headers.get("host") ?? url.host],
    headerNames: [...headers.keys()],
    cameOverHttps: adminHost.startsWith("https:"),
    isFromTrustedProxy: false,
    isFromLoopback: true,
  });
  const origin = valuesOf(headers, "origin");
  return problem === null && apiHeadersProblem({ authorization, hasCookie: headers.has("cookie"), origin }) === null;
}

function authorizationsOf({ headers, authorizations }: Incoming): readonly string[] {
  return authorizations ?? valuesOf(headers, "authorization");
}

function valuesOf(headers: Headers, name: string): string[] {
  return headers.has(name) ? [headers.get(name) ?? ""] : [];
}
