import { Button, Checkbox, Text } from "@mantine/core";
import { EVENT_TYPE_NAMES } from "@social-connect/contract";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { type ClientEventFragment, ClientEventsDocument, ResendEventsDocument } from "../../_generated/clientEvents.ts";
import { request } from "../../api/request.ts";
import classes from "../../filters/filters.module.css";
import { Filter, TextFilter } from "../../filters/filters.tsx";
import { useAction } from "../../forms/useAction.ts";
import { useChange } from "../../forms/useChange.ts";
import { actionColumn } from "../../ui/actionColumn.tsx";
import { CopyId } from "../../ui/CopyId.tsx";
import type { Column } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { FailureNote } from "../../ui/FailureNote.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { Section } from "../../ui/Section.tsx";
import { shownText } from "../../ui/shownText.ts";
import { serviceTime, Timestamp } from "../../ui/Timestamp.tsx";
import { TwoLines } from "../../ui/TwoLines.tsx";
import { usePages } from "../../ui/usePages.ts";
import { useClient } from "../clients/detail/useClient.ts";
import { Delivery } from "./Delivery.tsx";
import { type Endpoint, eventEndpoints, eventsKey } from "./queries.ts";
import { ResendDialog } from "./ResendDialog.tsx";
import { eventsSearch } from "./search.ts";

const route = getRouteApi("/clients/$clientId/events");
/** A delivery that is tried within this time changes soon. */
const SOON_MS = 10_000;

/** The stored events of a client with their deliveries, newest first. */
export function EventList({ endpoints }: { readonly endpoints: readonly Endpoint[] }) {
  const { id: clientId } = useClient();
  const search = route.useSearch();
  const { type, user, failed } = search;
  const navigate = route.useNavigate();
  const show = (changed: Readonly<Record<string, unknown>>) =>
    void navigate({ search: eventsSearch({ ...search, ...changed }) });
  const [isResending, setIsResending] = useState(false);
  const queries = useQueryClient();
  const change = useChange(eventsKey(clientId));
  const filter = { type: type ?? null, externalSubjectId: user ?? null, failed: failed ?? null };
  const pages = usePages(
    [...eventsKey(clientId), filter],
    async (after) => {
      const { page } = await request(ClientEventsDocument, { clientId, after, ...filter });
      // A delivery changes the state of its endpoint.
      void queries.invalidateQueries({ queryKey: eventEndpoints(clientId).queryKey }, { cancelRefetch: false });
      return page;
    },
    { isChanging },
  );
  const resend = useAction(({ id: eventId, type: name }: ClientEventFragment) =>
    change(ResendEventsDocument, { clientId, eventId }, `The event ${name} is sent again.`),
  );
  return (
    <Section
      title="Latest events"
      description="The events of the last 30 days, newest first. None is stored from before the first endpoint."
      actions={
        endpoints.length > 0 && (
          <Button variant="default" onClick={() => setIsResending(true)}>
            Resend events
          </Button>
        )
      }
    >
      <search className={classes.filters} aria-label="Event filters">
        <Filter
          label="Type"
          clearLabel="Any type"
          data={[...EVENT_TYPE_NAMES]}
          value={type ?? null}
          onChange={(changed) => show({ type: changed })}
        />
        <TextFilter label="User" value={user ?? ""} onChange={(changed) => show({ user: changed })} />
        <Checkbox
          label="Failed only"
          checked={failed === true}
          onChange={({ currentTarget }) => show({ failed: currentTarget.checked })}
        />
      </search>
      {resend.failure !== null && <FailureNote failure={resend.failure} />}
      <PagedTable
        caption="Events, newest first"
        pages={pages}
        columns={columns(endpoints, (event) => void resend.run(event))}
        rowKey={({ id }) => id}
        empty={<EmptyState title={type || user || failed ? "No matching events" : "No events yet"} />}
      />
      <ResendDialog isOpen={isResending} onClose={() => setIsResending(false)} />
    </Section>
  );
}

function isChanging({ deliveries }: ClientEventFragment): boolean {
  return deliveries.some(
    ({ status, nextTryAt }) =>
      status === "WAITING" && nextTryAt !== null && Date.parse(nextTryAt) - serviceTime().getTime() < SOON_MS,
  );
}

function columns(
  endpoints: readonly Endpoint[],
  resend: (event: ClientEventFragment) => void,
): readonly Column<ClientEventFragment>[] {
  return [
    {
      header: "Event",
      isLong: true,
      cell: ({ id, type, code, provider }) => (
        <>
          <TwoLines name={type} detail={[provider && PROVIDER_NAMES[provider], code].filter(Boolean).join(", ")} />
          <CopyId id={id} of={`webhook-id of ${type}`} shown={id.slice(0, 8)} />
        </>
      ),
    },
    {
      header: "User",
      isLong: true,
      cell: ({ externalSubjectId, tenantKey }) =>
        tenantKey === null ? "none" : <TwoLines name={shownText(externalSubjectId ?? "none")} detail={tenantKey} />,
    },
    { header: "Time", cell: ({ occurredAt }) => <Timestamp at={occurredAt} /> },
    {
      header: "Delivery",
      isLong: true,
      cell: ({ deliveries }) =>
        deliveries.length === 0 ? (
          <Text size="sm" c="dimmed">
            Not sent: no endpoint was on that takes the type
          </Text>
        ) : (
          endpoints.map(({ id, url }) => {
            const delivery = deliveries.find(({ endpointId }) => endpointId === id);
            return delivery && <Delivery key={id} delivery={delivery} url={endpoints.length > 1 ? url : undefined} />;
          })
        ),
    },
    actionColumn({ verb: "Resend", nameOf: ({ type, id }) => `${type} ${id.slice(0, 8)}`, run: resend }),
  ];
}
