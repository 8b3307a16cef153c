import { Code } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { type ConnectionFragment, ConnectionsDocument } from "../../_generated/connections.ts";
import { request } from "../../api/request.ts";
import { AccountName } from "../../ui/AccountName.tsx";
import { describeJobError } from "../../ui/codeDescriptions.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { serviceTime, Timestamp } from "../../ui/Timestamp.tsx";
import { TwoLines } from "../../ui/TwoLines.tsx";
import { usePages } from "../../ui/usePages.ts";
import { CONNECTION_STATES } from "../health/labels.ts";
import { ConnectionFilters } from "./ConnectionFilters.tsx";
import { filterOf } from "./filterOf.ts";
import { SCAN_STATES } from "./labels.ts";

const route = getRouteApi("/connections");

/** All connections by their states. It names no user: of an account it shows the end of the id. */
export function ConnectionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  // The pages of a list have the same filter, also after the time has moved on.
  const filter = useMemo(() => filterOf(search, serviceTime()), [search]);
  const pages = usePages(["connections", filter], async (after) => {
    return (await request(ConnectionsDocument, { after, ...filter })).page;
  });
  return (
    <>
      <PageHeader
        title="Connections"
        description="Linked accounts of all clients, without names. Reconnects come first, then the newest."
      />
      <ConnectionFilters search={search} onChange={(changed) => void navigate({ search: changed })} />
      <PagedTable
        caption="Connections that need a reconnect first, then the newest first"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<NothingFound isFiltered={Object.keys(search).length > 0} />}
      />
    </>
  );
}

function NothingFound({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState title="No connections yet" />;
  return (
    <EmptyState title="No matching connections" text="No connection matches all filters.">
      <LinkButton to="/connections" search={{}} variant="default">
        Show all connections
      </LinkButton>
    </EmptyState>
  );
}

const COLUMNS: readonly Column<ConnectionFragment>[] = [
  { header: "Account", cell: (account) => <AccountName {...account} /> },
  { header: "Status", cell: ({ status }) => <StatusBadge {...CONNECTION_STATES[status]} /> },
  {
    header: "Latest scan",
    cell: ({ syncStatus, errorCode }) => (
      <>
        <StatusBadge {...SCAN_STATES[syncStatus]} />
        {errorCode !== null && (
          <Code translate="no" title={describeJobError(errorCode).text}>
            {errorCode}
          </Code>
        )}
      </>
    ),
  },
  {
    header: "Client",
    isLong: true,
    cell: ({ clientSlug, tenantKey }) => (
      <TwoLines
        name={
          <LinkTo to="/connections" search={{ client: clientSlug }} size="sm">
            {clientSlug}
          </LinkTo>
        }
        detail={tenantKey}
      />
    ),
  },
  { header: "Linked", isSecondary: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    header: "Last scan",
    isSecondary: true,
    cell: ({ lastSuccessfulSyncAt }) => <Timestamp at={lastSuccessfulSyncAt} />,
  },
];
