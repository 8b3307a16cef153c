import { Text, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type ClientOrder, type ClientRowFragment, SearchClientsDocument } from "../../_generated/clientList.ts";
import { request } from "../../api/request.ts";
import type { Column, ListOrder } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { clientStatus } from "../../ui/labels.ts";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { usePages } from "../../ui/usePages.ts";
import classes from "./ClientsPage.module.css";

const route = getRouteApi("/clients");
const TYPING_PAUSE_MS = 250;

export function ClientsPage() {
  const { find = "", order = "SLUG", descending = false } = route.useSearch();
  const navigate = useNavigate();
  const variablesOf = (after: string | null) => ({ text: find, orderBy: order, descending, after });
  const pages = usePages(
    ["clients", "list", find, order, descending],
    async (after) => (await request(SearchClientsDocument, variablesOf(after))).page,
  );
  const search = useDebouncedCallback((text: string) => {
    void navigate({
      to: "/clients",
      search: ({ find: _, ...others }) => ({ ...others, ...(text.trim() === "" ? {} : { find: text.trim() }) }),
      replace: true,
    });
  }, TYPING_PAUSE_MS);
  const sort = ({ by, isDescending }: ListOrder) =>
    void navigate({
      to: "/clients",
      search: {
        ...(find === "" ? {} : { find }),
        ...(by === "SLUG" ? {} : { order: by as ClientOrder }),
        ...(isDescending ? { descending: true } : {}),
      },
      replace: true,
    });
  const [text, setText] = useState(find);
  useEffect(() => setText((typed) => (typed.trim() === find ? typed : find)), [find]);
  return (
    <>
      <PageHeader
        title="Clients"
        description="The applications that use the service, each with its URLs, tenants and up to two keys."
        actions={
          <LinkButton to="/clients/new" leftSection={<IconPlus size={18} aria-hidden />}>
            Create a client
          </LinkButton>
        }
      />
      <search>
        <TextInput
          type="search"
          aria-label="Search clients by name, slug or id"
          placeholder="Search by name, slug or id"
          leftSection={<IconSearch size={17} aria-hidden />}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            search(event.currentTarget.value);
          }}
          spellCheck={false}
          mb="md"
          maw={420}
        />
      </search>
      <PagedTable
        caption="Clients"
        pages={pages}
        order={{ by: order, isDescending: descending }}
        onOrder={sort}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={find === "" ? <NoClients /> : <NoMatch find={find} />}
      />
    </>
  );
}

const COLUMNS: readonly Column<ClientRowFragment>[] = [
  {
    header: "Client",
    order: "NAME",
    cell: ({ id, displayName }) => (
      <LinkTo to="/clients/$clientId" params={{ clientId: id }} fw={600}>
        {displayName}
      </LinkTo>
    ),
  },
  { header: "Slug", order: "SLUG", cell: ({ slug }) => slug },
  { header: "State", cell: ({ enabled }) => <StatusBadge {...clientStatus(enabled)} /> },
  {
    header: "Origins",
    isLong: true,
    isSecondary: true,
    cell: ({ webOrigins }) => <FirstOf values={webOrigins} />,
  },
  { header: "Providers", cell: ({ providers }) => providersText(providers) },
  { header: "Created", order: "CREATED", isSecondary: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { header: "Updated", order: "UPDATED", cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
];

/** The page of the client has their names. */
function providersText(providers: readonly SocialProvider[]): string {
  if (providers.length === SOCIAL_PROVIDERS.length) return "all";
  return providers.join(", ") || "none";
}

function FirstOf({ values }: { readonly values: readonly string[] }) {
  const [first = "none", ...others] = values;
  return (
    <>
      <span className={classes.origin} title={first}>
        {first}
      </span>
      {others.length > 0 && (
        <Text span size="xs" c="dimmed">
          and {others.length} more
        </Text>
      )}
    </>
  );
}

function NoClients() {
  return (
    <EmptyState title="No clients yet" text="Create a client for each application that calls the service.">
      <LinkButton to="/clients/new">Create your first client</LinkButton>
    </EmptyState>
  );
}

function NoMatch({ find }: { readonly find: string }) {
  return (
    <EmptyState title={`No clients match “${find}”`} text="The search covers names, slugs and the start of ids.">
      <LinkButton to="/clients" variant="default">
        Show all
      </LinkButton>
    </EmptyState>
  );
}
