import type { IncomingMessage, ServerResponse } from "node:http";
import { CSRF_HEADER } from "@social-connect/transport";
import type { AdminContext, AdminRequest } from "../graphql/admin/context.ts";
import { ADMIN_PATHS, createAdminYoga } from "../graphql/admin/yoga.ts";
import type { CallLanes } from "../graphql/shared/callLanes.ts";
import type { Service } from "../modules/service.ts";
import type { RequestRecord } from "../platform/telemetry.ts";
import { arrivalProblem } from "./adminTransport.ts";
import { callerAddress } from "./clientAddress.ts";
import { exchange, receive, whenLeft } from "./graphqlExchange.ts";
import { observedRequest } from "./observedRequest.ts";
import { sessionTokenOf } from "./panelCookie.ts";

/** Sent by a panel page that refreshes itself while no one uses it. */
const UNATTENDED_HEADER = "x-unattended";

export type AdminEndpoint = (request: IncomingMessage, response: ServerResponse) => void;

/** The admin schema's two endpoints: the API for keys and the panel's. Both accept only POST. */
export function createAdminEndpoints({ admin, throttle }: CallLanes): ReadonlyMap<string, AdminEndpoint> {
  const { service } = admin;
  const endpoint = (surface: AdminRequest["surface"]): AdminEndpoint => {
    const graphql = { service, engine: createAdminYoga(surface, admin), throttle, isCompressed: surface === "panel" };
    const respond = (request: IncomingMessage, response: ServerResponse, record: RequestRecord) => {
      const context: AdminContext = {
        service,
        correlationId: record.correlationId,
        record,
        incoming: describeRequest(request, service, surface),
        receive: () => receive(request),
        from: () => callerAddress(request, service),
        whenLeft: whenLeft(response),
        actor: null,
      };
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
