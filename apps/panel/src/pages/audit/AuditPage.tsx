import { Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { EntryFragment } from "../../_generated/audit.ts";
import { AuditEntriesDocument } from "../../_generated/audit.ts";
import { request } from "../../api/request.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { usePages } from "../../ui/usePages.ts";
import { AuditFilters } from "./AuditFilters.tsx";
import classes from "./AuditPage.module.css";
import type { AuditSearch } from "./routes.ts";

const route = getRouteApi("/audit");

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { key, client, action } = search;
  const pages = usePages(["audit", search], async (after) => {
    const filter = { apiKeyId: key ?? null, clientSlug: client ?? null, action: action ?? null };
    return (await request(AuditEntriesDocument, { after, ...filter })).page;
  });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="What was changed, by whom. Each entry is kept for 30 days, and its time leads to an address of its own."
      />
      <AuditFilters search={search} onChange={(changed) => void navigate({ search: changed })} />
      <PagedTable
        caption="Audit entries, the newest first"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<NothingFound isFiltered={isFiltered} />}
      />
    </>
  );
}

function NothingFound({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState title="Nothing was changed in the last 30 days" />;
  return (
    <EmptyState title="Nothing like this in the last 30 days" text="No entry has all that you are looking for.">
      <LinkButton to="/audit" search={{}} variant="default">
        Show all entries
      </LinkButton>
    </EmptyState>
  );
}

/** A link to the same log, of one key or client alone. */
function Narrowed({ by, text }: { readonly by: AuditSearch; readonly text: string }) {
  return (
    <LinkTo to="/audit" search={by} size="sm" className={classes.unbroken}>
      {text}
    </LinkTo>
  );
}

const COLUMNS: readonly Column<EntryFragment>[] = [
  {
    header: "What",
    isRowHeader: true,
    cell: ({ action, summary }) => (
      <>
        <Text size="sm" fw={600}>
          {action}
        </Text>
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      </>
    ),
  },
  {
    header: "By",
    cell: ({ actor, apiKeyId }) =>
      apiKeyId === null ? (
        <span className={classes.actor}>{actor}</span>
      ) : (
        <Narrowed by={{ key: apiKeyId }} text={actor} />
      ),
  },
  {
    header: "Client",
    cell: ({ clientSlug }) => (clientSlug === null ? "–" : <Narrowed by={{ client: clientSlug }} text={clientSlug} />),
  },
  {
    header: "When",
    cell: ({ id, at }) => (
      <LinkTo to="/audit/$entryId" params={{ entryId: id }} size="sm" className={classes.unbroken}>
        <Timestamp at={at} />
      </LinkTo>
    ),
  },
];
