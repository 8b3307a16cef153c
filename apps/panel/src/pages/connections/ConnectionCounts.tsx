import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  ConnectionCountsDocument,
  type ConnectionCountsQuery,
  type ConnectionCountsQueryVariables,
} from "../../_generated/connections.ts";
import { request } from "../../api/request.ts";
import { ConnectionCount } from "../../ui/ConnectionCount.tsx";
import { type ConnectionsSearch, connectionsSearch, filtersOf } from "../../ui/connectionsSearch.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkTo } from "../../ui/links.tsx";
import { CAUSE_LABELS } from "./labels.ts";

type Counts = ConnectionCountsQuery["counts"];
type Group = Counts["groups"][number];

interface ConnectionCountsProps {
  readonly by: NonNullable<ConnectionsSearch["by"]>;
  readonly search: ConnectionsSearch;
  readonly filter: Omit<ConnectionCountsQueryVariables, "by">;
}

/** How many connections the list has, by client or by cause. Each count leads to its part of the list. */
export function ConnectionCounts({ by, search, filter }: ConnectionCountsProps) {
  const variables = { by: by === "client" ? "CLIENT" : "CAUSE", ...filter } as const;
  const query = useQuery({
    queryKey: ["connections", "counts", variables],
    queryFn: async () => (await request(ConnectionCountsDocument, variables)).counts,
  });
  return (
    <Loaded query={query}>
      {(counts) => (
        <>
          <Text size="sm" c="dimmed" mb="sm" role="status">
            {sumText(by, counts)}
          </Text>
          <DataTable
            caption={by === "client" ? "Connections by client, most first" : "Connections by cause, most first"}
            columns={by === "client" ? clientColumns(search) : causeColumns(search)}
            rows={counts.groups}
            rowKey={({ clientSlug, cause }) => clientSlug ?? cause ?? ""}
            isDense
            empty={<EmptyState title="No matching connections" />}
          />
        </>
      )}
    </Loaded>
  );
}

function sumText(by: ConnectionCountsProps["by"], { count, groupCount, groups }: Counts): string {
  const connections = amount(count, "connection");
  const of = by === "client" ? ` of ${amount(groupCount, "client")}` : "";
  return `${connections}${of}${groups.length < groupCount ? `, the first ${groups.length} shown` : ""}`;
}

function amount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

function clientColumns(search: ConnectionsSearch): readonly Column<Group>[] {
  const { tenant: _, ...filters } = filtersOf(search);
  const ofClient = (client: string) => connectionsSearch({ ...filters, client });
  return [
    {
      header: "Client",
      sortBy: ({ clientSlug }) => clientSlug ?? "",
      cell: ({ clientSlug }) => (
        <LinkTo to="/connections" search={ofClient(clientSlug ?? "")} state={true} fw={600} size="sm">
          {clientSlug}
        </LinkTo>
      ),
    },
    {
      header: "Connections",
      isNumber: true,
      sortBy: ({ count }) => count,
      cell: ({ clientSlug, count }) => <ConnectionCount count={count} of={ofClient(clientSlug ?? "")} />,
    },
  ];
}

function causeColumns(search: ConnectionsSearch): readonly Column<Group>[] {
  return [
    {
      header: "Cause",
      sortBy: ({ cause }) => labelOf(cause),
      cell: ({ cause }) =>
        cause === null ? (
          labelOf(cause)
        ) : (
          <LinkTo
            to="/connections"
            search={connectionsSearch({ ...filtersOf(search), cause })}
            state={true}
            fw={600}
            size="sm"
          >
            {labelOf(cause)}
          </LinkTo>
        ),
    },
    {
      header: "Connections",
      isNumber: true,
      sortBy: ({ count }) => count,
      cell: ({ count }) => count.toLocaleString("en"),
    },
  ];
}

function labelOf(cause: Group["cause"]): string {
  return cause === null ? "None" : CAUSE_LABELS[cause];
}
