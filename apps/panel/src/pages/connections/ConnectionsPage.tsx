import { Code, Text } from "@mantine/core";
import { platformName } from "@social-connect/domain";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import {
  type ConnectionFragment,
  ConnectionsDocument,
  type ConnectionsQueryVariables,
} from "../../_generated/connections.ts";
import { request } from "../../api/request.ts";
import { describeJobError } from "../../ui/codeDescriptions.ts";
import { type ConnectionsSearch, connectionsSearch, filtersOf } from "../../ui/connectionsSearch.ts";
import type { Column, ListOrder } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { shownText } from "../../ui/shownText.ts";
import { serviceTime, Timestamp } from "../../ui/Timestamp.tsx";
import { useEntryState } from "../../ui/useEntryState.ts";
import { usePages } from "../../ui/usePages.ts";
import { CONNECTION_STATES } from "../health/labels.ts";
import { ConnectionCounts } from "./ConnectionCounts.tsx";
import { ConnectionFilters } from "./ConnectionFilters.tsx";
import { ConnectionsExport } from "./ConnectionsExport.tsx";
import classes from "./ConnectionsPage.module.css";
import { filterOf, isFiltered, NO_USER, orderOf, type SoughtUser } from "./filterOf.ts";
import { CAUSE_LABELS, SCAN_STATES } from "./labels.ts";

const route = getRouteApi("/connections");
const SOUGHT = "sought user";

/** All connections: whose they are, and why their posts are not read. */
export function ConnectionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [sought] = useEntryState<SoughtUser>(SOUGHT, NO_USER);
  // A list has the same filter in each order and on each page, also after the time has moved on: it is audited by its filter.
  const filters = JSON.stringify(filtersOf(search));
  const filter = useMemo(() => filterOf(JSON.parse(filters), sought, serviceTime()), [filters, sought]);
  const list = { ...filter, ...orderOf(search) };
  const show = (changed: ConnectionsSearch, user: SoughtUser = sought) =>
    void navigate({
      search: changed,
      state: ({ choices, ...state }) => ({ ...state, choices: { ...choices, [SOUGHT]: user } }),
    });
  return (
    <>
      <PageHeader
        title="Connections"
        description="Whose accounts are linked, and why posts are not read. An opened list is in the audit log."
        actions={
          <>
            <Views search={search} />
            <ConnectionsExport list={list} />
          </>
        }
      />
      <ConnectionFilters search={search} sought={sought} onChange={show} />
      {search.by === undefined ? (
        <List list={list} search={search} onOrder={show} hasFilter={isFiltered(search, sought)} />
      ) : (
        <ConnectionCounts by={search.by} search={search} filter={filter} />
      )}
    </>
  );
}

/** The list and its counts. */
function Views({ search }: { readonly search: ConnectionsSearch }) {
  const { by, ...listed } = search;
  return (
    <>
      {by !== undefined && (
        <LinkButton to="/connections" search={listed} state={true} variant="default">
          Show the list
        </LinkButton>
      )}
      {by !== "client" && (
        <LinkButton to="/connections" search={{ ...search, by: "client" }} state={true} variant="default">
          By client
        </LinkButton>
      )}
      {by !== "cause" && (
        <LinkButton to="/connections" search={{ ...search, by: "cause" }} state={true} variant="default">
          By cause
        </LinkButton>
      )}
    </>
  );
}

interface ListProps {
  readonly list: ConnectionsQueryVariables;
  readonly search: ConnectionsSearch;
  readonly onOrder: (search: ConnectionsSearch) => void;
  readonly hasFilter: boolean;
}

function List({ list, search, onOrder, hasFilter }: ListProps) {
  const pages = usePages(
    ["connections", list],
    async (after) => (await request(ConnectionsDocument, { after, ...list })).page,
    { isAudited: true },
  );
  const hasCause = (search.cause !== undefined && search.cause !== "NOT_RECORDED") || search.since !== undefined;
  const { sort = hasCause ? "since" : "", descending = search.sort === undefined } = search;
  return (
    <PagedTable
      caption={sort === "" ? "Connections that need a reconnect first, then the newest first" : "Connections"}
      pages={pages}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      isDense
      order={{ by: sort, isDescending: descending }}
      onOrder={({ by, isDescending }: ListOrder) =>
        onOrder(connectionsSearch({ ...search, sort: by, descending: isDescending }))
      }
      empty={<NothingFound hasFilter={hasFilter} />}
    />
  );
}

function NothingFound({ hasFilter }: { readonly hasFilter: boolean }) {
  if (!hasFilter) return <EmptyState title="No connections yet" />;
  return (
    <EmptyState title="No matching connections" text="No connection matches all filters.">
      <LinkButton to="/connections" search={{}} variant="default">
        Show all connections
      </LinkButton>
    </EmptyState>
  );
}

/** Two by two they are the lines of a card on a phone. */
const COLUMNS: readonly Column<ConnectionFragment>[] = [
  {
    header: "User",
    order: "user",
    cell: ({ id, externalSubjectId }) => (
      <LinkTo
        to="/support/connections/$connectionId"
        params={{ connectionId: id }}
        fw={600}
        size="sm"
        translate="no"
        title={shownText(externalSubjectId)}
      >
        {shownText(externalSubjectId)}
      </LinkTo>
    ),
  },
  {
    header: "Account",
    isSecondary: true,
    cell: ({ provider, accountHint }) => (
      <span className={classes.line}>
        {platformName(provider)} <span className={classes.hint}>{accountHint}</span>
      </span>
    ),
  },
  { header: "Cause", order: "cause", cell: (connection) => <Cause {...connection} /> },
  {
    header: "Since",
    order: "since",
    cell: ({ causeSince }) => (causeSince === null ? "–" : <Timestamp at={causeSince} />),
  },
  {
    header: "Client",
    isLong: true,
    order: "client",
    cell: ({ clientSlug, tenantKey }) => (
      <span className={classes.client}>
        <LinkTo to="/connections" search={{ client: clientSlug }} size="sm" title={`${clientSlug} ${tenantKey}`}>
          {clientSlug}
        </LinkTo>{" "}
        <span className={classes.hint}>{tenantKey}</span>
      </span>
    ),
  },
  { header: "Status", cell: ({ status }) => <StatusBadge {...CONNECTION_STATES[status]} /> },
];

/** Why posts are not read, or else how the latest scan ended. */
function Cause({ cause, syncStatus, errorCode }: ConnectionFragment) {
  if (cause !== null) return CAUSE_LABELS[cause];
  if (errorCode !== null)
    return (
      <Code translate="no" title={describeJobError(errorCode).text}>
        {errorCode}
      </Code>
    );
  return (
    <Text span size="sm" c="dimmed">
      Scan: {SCAN_STATES[syncStatus].label.toLowerCase()}
    </Text>
  );
}
