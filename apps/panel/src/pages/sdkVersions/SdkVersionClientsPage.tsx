import { getRouteApi } from "@tanstack/react-router";
import { type SdkVersionClientFragment, SdkVersionClientsDocument } from "../../_generated/sdkVersions.ts";
import { request } from "../../api/request.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { usePages } from "../../ui/usePages.ts";
import { LastSeen } from "./LastSeen.tsx";
import { versionName } from "./labels.ts";

const route = getRouteApi("/sdk-versions/clients");

/** The clients that call with one version. */
export function SdkVersionClientsPage() {
  const { library = "UNKNOWN", version = null } = route.useSearch();
  const pages = usePages(["sdkVersions", library, version], async (after) => {
    return (await request(SdkVersionClientsDocument, { after, library, version })).page;
  });
  return (
    <>
      <PageHeader
        title={`Clients: ${versionName(library, version)}`}
        description="Clients that called with it in the 24 hours before their last call."
        breadcrumbs={[{ to: "/sdk-versions", label: "SDK versions" }]}
      />
      <PagedTable
        caption="Clients with this version, by slug"
        pages={pages}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No client calls with this version" />}
      />
    </>
  );
}

const COLUMNS: readonly Column<SdkVersionClientFragment>[] = [
  {
    header: "Client",
    cell: ({ id, displayName }) => (
      <LinkTo to="/clients/$clientId" params={{ clientId: id }} fw={600}>
        {displayName}
      </LinkTo>
    ),
  },
  { header: "Slug", isLong: true, cell: ({ slug }) => slug },
  { header: "Calls", isNumber: true, cell: ({ calls }) => calls.toLocaleString("en") },
  { header: "Last seen", cell: ({ lastSeenAt }) => <LastSeen at={lastSeenAt} /> },
];
