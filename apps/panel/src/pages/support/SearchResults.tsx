import { Code, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  FindByReferenceDocument,
  type ListedAttemptFragment,
  type ListedConnectionFragment,
  SearchConnectAttemptsDocument,
  SearchConnectionsDocument,
} from "../../_generated/support.ts";
import { request } from "../../api/request.ts";
import { AccountName } from "../../ui/AccountName.tsx";
import { describeConnectResult } from "../../ui/codeDescriptions.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { TwoLines } from "../../ui/TwoLines.tsx";
import { usePages } from "../../ui/usePages.ts";
import { ATTEMPT_STATES, CONNECTION_STATES } from "../health/labels.ts";
import { Outcome } from "../health/Outcome.tsx";
import type { SupportSearch } from "./search.ts";

const ERASED = "A disconnected account is erased, and then only found by its connection id.";

type UserSearch = Extract<SupportSearch, { kind: "user" }>;

export function scopeOf({ clientSlug, tenantKey, externalSubjectId }: UserSearch) {
  return { clientSlug, externalSubjectId, tenantKey: tenantKey === "" ? null : tenantKey };
}

export const connectionsKey = (search: UserSearch) => ["support", "connections", scopeOf(search)];

export function UserResults({ search }: { readonly search: UserSearch }) {
  const scope = scopeOf(search);
  const connections = usePages(
    connectionsKey(search),
    async (after) => (await request(SearchConnectionsDocument, { ...scope, after })).page,
    { isAudited: true },
  );
  const attempts = usePages(
    ["support", "attempts", scope],
    async (after) => (await request(SearchConnectAttemptsDocument, { ...scope, after })).page,
    { isAudited: true },
  );
  return (
    <>
      <Section
        title="Connections"
        actions={
          <LinkTo to="/support/person" state={{ person: scope }}>
            What is stored about this user
          </LinkTo>
        }
      >
        <PagedTable
          caption="Connections of the user, newest first"
          pages={connections}
          columns={CONNECTION_COLUMNS}
          rowKey={({ id }) => id}
          empty={<EmptyState title="This user has no connection" text={ERASED} />}
        />
      </Section>
      <Section title="Connect attempts" description="The last 24 hours">
        <PagedTable
          caption="Connect attempts of the user, newest first"
          pages={attempts}
          columns={ATTEMPT_COLUMNS}
          rowKey={({ id }) => id}
          empty={<EmptyState title="No connect attempts in the last 24 hours" />}
        />
      </Section>
    </>
  );
}

export function ReferenceResults({ id }: { readonly id: string }) {
  const query = useQuery({
    queryKey: ["support", "id", id],
    queryFn: async () => (await request(FindByReferenceDocument, { id })).found,
    // Each look-up is in the audit log.
    refetchOnWindowFocus: false,
  });
  return (
    <Section title="Found">
      <Loaded query={query}>
        {({ connections, erased, attempts }) => (
          <>
            <DataTable {...FOUND} caption="Connections" columns={CONNECTION_COLUMNS} rows={connections} />
            <DataTable {...FOUND} caption="Erased connections" columns={ERASED_COLUMNS} rows={erased} />
            <DataTable {...FOUND} caption="Connect attempts" columns={ATTEMPT_COLUMNS} rows={attempts} />
            {connections.length + erased.length + attempts.length === 0 && (
              <EmptyState
                title="Nothing has this id"
                text="Connect attempts are stored for 24 hours, jobs and receipts for 7 days."
              />
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A kind that was not found has no table. */
const FOUND = { rowKey: ({ id }: { readonly id: string }) => id, empty: null };

const CONNECTION_COLUMNS: readonly Column<ListedConnectionFragment>[] = [
  { header: "Connection", cell: (account) => <AccountName {...account} /> },
  { header: "Status", cell: ({ status }) => <StatusBadge {...CONNECTION_STATES[status]} /> },
  { header: "Client", isLong: true, cell: ({ clientId, clientSlug }) => <Client id={clientId} slug={clientSlug} /> },
  { header: "Linked", isSecondary: true, cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { header: "Last scan", cell: ({ lastSuccessfulSyncAt }) => <Timestamp at={lastSuccessfulSyncAt} /> },
];

const ERASED_COLUMNS: readonly Column<{
  readonly id: string;
  readonly clientId: string;
  readonly clientSlug: string;
}>[] = [
  {
    header: "Connection",
    cell: ({ id }) => (
      <LinkTo to="/support/connections/$connectionId" params={{ connectionId: id }}>
        Erased connection
      </LinkTo>
    ),
  },
  { header: "Client", isLong: true, cell: ({ clientId, clientSlug }) => <Client id={clientId} slug={clientSlug} /> },
];

const ATTEMPT_COLUMNS: readonly Column<ListedAttemptFragment>[] = [
  {
    header: "Attempt",
    cell: ({ provider, createdAt }) => (
      <TwoLines name={PROVIDER_NAMES[provider]} detail={<Timestamp at={createdAt} />} />
    ),
  },
  {
    header: "Result",
    cell: ({ status, resultCode }) => (
      <>
        <StatusBadge {...ATTEMPT_STATES[status]} />
        <Outcome code={resultCode} meaning={describeConnectResult} />
      </>
    ),
  },
  { header: "Message for the user", cell: ({ userMessage }) => <Text size="sm">{userMessage}</Text> },
  { header: "Next step", cell: (attempt) => <NextStep {...attempt} /> },
];

function NextStep({ nextStep, resultCode, clientId, connectionId, accountHint }: ListedAttemptFragment) {
  return (
    <>
      <Text size="sm">{nextStep}</Text>
      {resultCode === "NOT_A_TESTER" && (
        <LinkTo to="/clients/$clientId" params={{ clientId }} size="sm">
          Client and its testers
        </LinkTo>
      )}
      {connectionId !== null && (
        <Text size="sm" component="div">
          <LinkTo to="/support/connections/$connectionId" params={{ connectionId }} size="sm">
            Connection
          </LinkTo>
          {accountHint !== null && (
            <>
              {" "}
              account{" "}
              <Code translate="no" style={{ whiteSpace: "nowrap" }}>
                {accountHint}
              </Code>
            </>
          )}
        </Text>
      )}
    </>
  );
}

function Client({ id, slug }: { readonly id: string; readonly slug: string }) {
  return (
    <LinkTo to="/clients/$clientId" params={{ clientId: id }} size="sm">
      {slug}
    </LinkTo>
  );
}
