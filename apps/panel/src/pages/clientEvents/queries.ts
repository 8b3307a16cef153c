import { queryOptions } from "@tanstack/react-query";
import { type EventEndpointFragment, EventEndpointsDocument } from "../../_generated/clientEvents.ts";
import { Failure } from "../../api/failure.ts";
import { request } from "../../api/request.ts";

export type Endpoint = EventEndpointFragment;

export function eventEndpoints(clientId: string) {
  return queryOptions({
    queryKey: ["clients", "eventEndpoints", clientId],
    queryFn: async () => (await request(EventEndpointsDocument, { clientId })).endpoints,
  });
}

export function eventEndpoint(clientId: string, endpointId: string) {
  return queryOptions({
    ...eventEndpoints(clientId),
    select: (endpoints) => {
      const found = endpoints.find(({ id }) => id === endpointId);
      if (found === undefined) throw new Failure({ code: "NOT_FOUND", message: "The endpoint does not exist." });
      return found;
    },
  });
}

/** The key of the lists of a client's events, with any filter. */
export function eventsKey(clientId: string): readonly string[] {
  return ["clients", "events", clientId];
}
