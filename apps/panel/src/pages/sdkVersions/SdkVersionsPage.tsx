import { useQuery } from "@tanstack/react-query";
import { type SdkVersionFragment, SdkVersionsDocument } from "../../_generated/sdkVersions.ts";
import { request } from "../../api/request.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkTo } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { useLive } from "../../ui/useLive.ts";
import { LastSeen } from "./LastSeen.tsx";
import { versionName } from "./labels.ts";

/** Which versions of the libraries clients call with, of all clients. */
export function SdkVersionsPage() {
  const query = useQuery({
    queryKey: ["sdkVersions"],
    queryFn: async () => (await request(SdkVersionsDocument)).versions,
  });
  useLive(query);
  return (
    <>
      <PageHeader
        title="SDK versions"
        description="The libraries that requests name, in the 24 hours before each client’s last call. Calls of the last 35 days are stored."
      />
      <Loaded query={query}>
        {(versions) => (
          <DataTable
            caption="Clients by library and version, the newest version first"
            rows={versions}
            rowKey={({ library, version }) => versionName(library, version)}
            columns={columns(versions)}
            empty={<EmptyState title="No calls yet" text="A call of a client is counted within a minute." />}
          />
        )}
      </Loaded>
    </>
  );
}

function columns(versions: readonly SdkVersionFragment[]): readonly Column<SdkVersionFragment>[] {
  const newestOf = (of: string) => versions.find(({ library }) => library === of)?.version;
  return [
    { header: "Version", cell: ({ library, version }) => <strong>{versionName(library, version)}</strong> },
    {
      header: "State",
      cell: ({ library, version }) => {
        if (version === null) return null;
        return version === newestOf(library) ? (
          <StatusBadge label="Newest seen" tone="good" />
        ) : (
          <StatusBadge label="Older" tone="waiting" />
        );
      },
    },
    {
      header: "Clients",
      isNumber: true,
      isRowLink: true,
      cell: ({ library, version, clients }) => (
        <LinkTo to="/sdk-versions/clients" search={{ library, ...(version !== null && { version }) }} inherit>
          {clients.toLocaleString("en")}
        </LinkTo>
      ),
    },
    { header: "Last seen", cell: ({ lastSeenAt }) => <LastSeen at={lastSeenAt} /> },
  ];
}
