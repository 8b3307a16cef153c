import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdminContext, AdminRequest } from "../graphql/admin/context.ts";
import { ADMIN_PATHS, createAdminYoga } from "../graphql/admin/yoga.ts";
import type { Service } from "../modules/service.ts";
import { adminTransportProblem } from "./adminTransport.ts";
import { callerAddress } from "./clientAddress.ts";
import { exchange, receive } from "./graphqlExchange.ts";
import { sessionTokenOf } from "./panelCookie.ts";

/** Header in which a page of the panel sends its CSRF token. */
export const CSRF_HEADER = "x-csrf-token";

export type AdminEndpoint = (request: IncomingMessage, response: ServerResponse) => void;

/** The admin schema's two addresses, by path: the API for keys and the panel's own. Both take POST alone. */
export function createAdminEndpoints(service: Service): ReadonlyMap<string, AdminEndpoint> {
  const endpoint = (surface: AdminRequest["surface"]): AdminEndpoint => {
    const yoga = createAdminYoga(surface);
    return (request, response) => {
      const context: AdminContext = {
        service,
        correlationId: randomUUID(),
        incoming: describeRequest(request, service, surface),
        receive: () => receive(request),
        from: () => callerAddress(request, service),
        actor: null,
      };
      void exchange(service, yoga, request, response, context);
    };
  };
  return new Map((["api", "panel"] as const).map((surface) => [ADMIN_PATHS[surface], endpoint(surface)]));
}

function describeRequest(request: IncomingMessage, service: Service, surface: AdminRequest["surface"]): AdminRequest {
  const headers = request.headersDistinct;
  return {
    surface,
    transportProblem: adminTransportProblem(request, service),
    authorization: headers["authorization"] ?? [],
    hasCookie: headers["cookie"] !== undefined,
    sessionToken: sessionTokenOf(request, new URL(service.adminHost)),
    origin: headers["origin"] ?? [],
    csrfToken: headers[CSRF_HEADER]?.[0] ?? null,
  };
}
