import { LIMITS } from "@social-connect/contract";
import { durationText } from "@social-connect/domain";
import { getRouteApi } from "@tanstack/react-router";
import { AuditEntriesDocument, type EntryFragment } from "../../_generated/audit.ts";
import { request } from "../../api/request.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { TwoLines } from "../../ui/TwoLines.tsx";
import { usePages } from "../../ui/usePages.ts";
import { AuditExport } from "./AuditExport.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import classes from "./AuditPage.module.css";
import { nameFilter } from "./filterLabels.ts";
import { type AuditSearch, filterOf } from "./search.ts";

const route = getRouteApi("/audit");

export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const pages = usePages(["audit", search], async (after) => {
    const { page } = await request(AuditEntriesDocument, { after, ...filterOf(search) }).catch((error) => {
      throw nameFilter(error);
    });
    return page;
  });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <>
      <PageHeader
        title="Audit log"
        description={`Changes of the last ${durationText(LIMITS.auditRetentionMs)} and who made them. The time of an entry links to its page, with the values before and after.`}
        actions={<AuditExport search={search} />}
      />
      <AuditFilters search={search} onChange={(changed) => void navigate({ search: changed })} />
      <PagedTable
        caption="Audit entries, newest first"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<NothingFound isFiltered={isFiltered} />}
      />
    </>
  );
}

function NothingFound({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState title={`No changes in the last ${durationText(LIMITS.auditRetentionMs)}`} />;
  return (
    <EmptyState
      title={`No matching entries in the last ${durationText(LIMITS.auditRetentionMs)}`}
      text="No entry matches all filters."
    >
      <LinkButton to="/audit" search={{}} variant="default">
        Show all entries
      </LinkButton>
    </EmptyState>
  );
}

/** A link that filters the log by one key or client. */
function Narrowed({ by, text }: { readonly by: AuditSearch; readonly text: string }) {
  return (
    <LinkTo to="/audit" search={by} size="sm" className={classes.unbroken}>
      {text}
    </LinkTo>
  );
}

/** An email address, which breaks before its host rather than within a word. */
function BreakAtHost({ email }: { readonly email: string }) {
  const hostAt = email.lastIndexOf("@") + 1;
  return (
    <>
      {email.slice(0, hostAt)}
      <wbr />
      {email.slice(hostAt)}
    </>
  );
}

const COLUMNS: readonly Column<EntryFragment>[] = [
  { header: "Action", cell: ({ action, summary }) => <TwoLines name={action} detail={summary} /> },
  {
    header: "Actor",
    isLong: true,
    cell: ({ actor, apiKeyId }) =>
      apiKeyId === null ? (
        <span className={classes.actor}>
          <BreakAtHost email={actor} />
        </span>
      ) : (
        <Narrowed by={{ key: apiKeyId }} text={actor} />
      ),
  },
  {
    header: "Client",
    isLong: true,
    cell: ({ clientSlug }) => (clientSlug === null ? "–" : <Narrowed by={{ client: clientSlug }} text={clientSlug} />),
  },
  {
    header: "When",
    isRowLink: true,
    cell: ({ id, at }) => (
      <LinkTo to="/audit/$entryId" params={{ entryId: id }} size="sm" className={classes.unbroken}>
        <Timestamp at={at} />
      </LinkTo>
    ),
  },
];
