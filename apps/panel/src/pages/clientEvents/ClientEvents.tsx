import { EVENT_LIMITS } from "@social-connect/contract";
import { useQuery } from "@tanstack/react-query";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { Section, SectionsBelow } from "../../ui/Section.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import { EndpointCard } from "./EndpointCard.tsx";
import { EventList } from "./EventList.tsx";
import { eventEndpoints } from "./queries.ts";

/** The endpoints of a client, and what was sent to them. */
export function ClientEvents() {
  const { id } = useClient();
  const query = useQuery(eventEndpoints(id));
  const isFull = (query.data?.length ?? 0) >= EVENT_LIMITS.endpointsPerApplication;
  return (
    <>
      <Section
        title="Endpoints"
        description={`The service sends events to these URLs of the application’s backend. A client can have ${EVENT_LIMITS.endpointsPerApplication}.`}
        actions={
          query.data !== undefined &&
          !isFull && (
            <LinkButton to="/clients/$clientId/events/new" params={{ clientId: id }}>
              Add an endpoint
            </LinkButton>
          )
        }
      >
        <Loaded query={query} lines={8}>
          {(endpoints) =>
            endpoints.length === 0 ? (
              <EmptyState title="No endpoints yet" text="Without an endpoint, no event is stored or sent." />
            ) : (
              endpoints.map((endpoint) => <EndpointCard key={endpoint.id} endpoint={endpoint} />)
            )
          }
        </Loaded>
      </Section>
      <SectionsBelow isShown={!query.isPending}>
        <EventList endpoints={query.data ?? []} />
      </SectionsBelow>
    </>
  );
}
