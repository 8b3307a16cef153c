import type { IncomingMessage, ServerResponse } from "node:http";
import { CSRF_HEADER } from "@social-connect/transport";
import type { AdminContext, AdminRequest } from "../graphql/admin/context.ts";
import { ADMIN_PATHS, createAdminApi } from "../graphql/admin/yoga.ts";
import type { CallLanes } from "../graphql/shared/callLanes.ts";
import type { Service } from "../modules/service.ts";
import type { RequestRecord } from "../platform/telemetry.ts";
import { arrivalProblem } from "./adminTransport.ts";
import { callContext, exchange } from "./graphqlExchange.ts";
import { observedRequest } from "./observedRequest.ts";
import { sessionTokenOf } from "./panelCookie.ts";

/** Sent by a panel page that refreshes itself while no one uses it. */
const UNATTENDED_HEADER = "x-unattended";

export type AdminEndpoint = (request: IncomingMessage, response: ServerResponse) => void;

/** The admin schema's two endpoints: the API for keys and the panel's. Both accept only POST. */
export function createAdminEndpoints(
  service: Service,
  { admin, throttle }: CallLanes,
): ReadonlyMap<string, AdminEndpoint> {
  const endpoint = (surface: AdminRequest["surface"]): AdminEndpoint => {
    const graphql = { service, api: createAdminApi(surface, admin), throttle, isCompressed: surface === "panel" };
    const respond = (request: IncomingMessage, response: ServerResponse, record: RequestRecord) => {
      const incoming = describeRequest(request, service, surface);
      const context: AdminContext = { ...callContext(service, request, response, record), incoming, actor: null };
      return exchange(graphql, request, response, context);
    };
    const kind = surface === "api" ? "admin" : "panel";
    return (request, response) =>
      void observedRequest(service, kind, request, (record) => respond(request, response, record));
  };
  return new Map((["api", "panel"] as const).map((surface) => [ADMIN_PATHS[surface], endpoint(surface)]));
}

function describeRequest(request: IncomingMessage, service: Service, surface: AdminRequest["surface"]): AdminRequest {
  const headers = request.headersDistinct;
  return {
    surface,
    transportProblem: arrivalProblem(request, service),
    authorization: headers["authorization"] ?? [],
    hasCookie: headers["cookie"] !== undefined,
    sessionToken: sessionTokenOf(request, new URL(service.adminHost)),
    origin: headers["origin"] ?? [],
    csrfToken: headers[CSRF_HEADER]?.[0] ?? null,
    isUnattended: headers[UNATTENDED_HEADER] !== undefined,
  };
}
