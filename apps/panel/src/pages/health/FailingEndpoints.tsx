import type { HealthQuery } from "../../_generated/health.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { endpointState, hostOf, OFF_REASONS } from "../../ui/eventEndpoints.ts";
import { LinkTo } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";

type Row = HealthQuery["failingEndpoints"][number];

/** Event endpoints that receive nothing now, with a link to the events that failed. */
export function FailingEndpoints({ endpoints }: { readonly endpoints: readonly Row[] }) {
  if (endpoints.length === 0) return null;
  return (
    <Section title="Failing event endpoints" description="Applications whose backend does not accept events.">
      <DataTable
        caption="Event endpoints that fail, the longest failing first"
        columns={COLUMNS}
        rows={endpoints}
        rowKey={({ endpoint }) => endpoint.id}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: "Client",
    cell: ({ client: { id, slug } }) => (
      <LinkTo to="/clients/$clientId/events" params={{ clientId: id }} search={{ failed: true }} size="sm" fw={600}>
        {slug}
      </LinkTo>
    ),
  },
  { header: "Endpoint", isLong: true, isSecondary: true, cell: ({ endpoint }) => hostOf(endpoint.url) },
  { header: "State", cell: ({ endpoint }) => <StatusBadge {...endpointState(endpoint)} /> },
  {
    header: "Why",
    isLong: true,
    cell: ({ endpoint: { turnedOffReason } }) =>
      turnedOffReason === null ? "The last try failed." : OFF_REASONS[turnedOffReason],
  },
  { header: "Failing since", cell: ({ endpoint }) => <Timestamp at={endpoint.failingSince} /> },
  { header: "Last delivery", cell: ({ endpoint }) => <Timestamp at={endpoint.lastSucceededAt} /> },
];
