import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import { type Endpoint, eventEndpoints } from "./queries.ts";

/** Renders the endpoint of the current page once it is loaded. */
export function LoadedEndpoint({ children }: { readonly children: (endpoint: Endpoint) => ReactNode }) {
  const { id: clientId } = useClient();
  const { endpointId } = useParams({ strict: false });
  const query = useQuery(eventEndpoints(clientId));
  return (
    <Loaded query={query}>
      {(endpoints) => {
        const endpoint = endpoints.find(({ id }) => id === endpointId);
        if (endpoint !== undefined) return children(endpoint);
        return (
          <EmptyState title="This endpoint does not exist" text="It may have been removed.">
            <LinkButton to="/clients/$clientId/events" params={{ clientId }} variant="default">
              Show the endpoints
            </LinkButton>
          </EmptyState>
        );
      }}
    </Loaded>
  );
}
