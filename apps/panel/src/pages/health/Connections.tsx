import { CONNECTION_STATUSES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { HealthQuery } from "../../_generated/health.ts";
import { ConnectionCount } from "../../ui/ConnectionCount.tsx";
import type { ConnectionsSearch } from "../../ui/connectionsSearch.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import { CONNECTION_STATES } from "./labels.ts";

type Counts = HealthQuery["overview"]["connections"];

interface ConnectionsProps {
  readonly counts: Counts;
  /** Slug of the client whose connections they are; all connections without it. */
  readonly client?: string;
}

export function Connections({ counts, client }: ConnectionsProps) {
  return (
    <Section title="Connections" description="All connections, by provider and status.">
      <DataTable
        caption="Connections by provider and status"
        columns={columns(counts, client === undefined ? {} : { client })}
        rows={SOCIAL_PROVIDERS.filter((provider) => counts.some((row) => row.provider === provider))}
        rowKey={(provider) => provider}
        empty={<EmptyState title="No connections yet" />}
      />
    </Section>
  );
}

function columns(counts: Counts, of: ConnectionsSearch): readonly Column<(typeof SOCIAL_PROVIDERS)[number]>[] {
  return [
    { header: "Provider", cell: (provider) => <strong>{PROVIDER_NAMES[provider]}</strong> },
    ...CONNECTION_STATUSES.map((status) => ({
      header: CONNECTION_STATES[status].label,
      isNumber: true,
      cell: (provider: (typeof SOCIAL_PROVIDERS)[number]) => (
        <ConnectionCount
          count={counts
            .filter((row) => row.provider === provider && row.status === status)
            .reduce((sum, { count }) => sum + count, 0)}
          of={{ ...of, provider, status }}
        />
      ),
    })),
  ];
}
