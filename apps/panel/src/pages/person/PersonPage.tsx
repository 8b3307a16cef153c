import { Code, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type PersonDetailFragment, PersonDocument } from "../../_generated/person.ts";
import { request } from "../../api/request.ts";
import { ActionBar } from "../../ui/ActionBar.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { shownText } from "../../ui/shownText.ts";
import { REFRESH_MS, useLive } from "../../ui/useLive.ts";
import { type Erased, PersonActions } from "./PersonActions.tsx";
import { PersonReceipts } from "./PersonReceipts.tsx";
import { PersonConnections, PersonRecords } from "./PersonRecords.tsx";
import { type PersonDraft, type PersonScope, usePerson } from "./personScope.ts";

const BREADCRUMBS = [{ to: "/support", label: "Support" }];

/** Everything that is stored about one user of a client, with its export and its erasure. */
export function PersonPage() {
  const { scope, draft } = usePerson();
  if (scope !== null) return <Person key={JSON.stringify(scope)} scope={scope} draft={draft} />;
  return (
    <>
      <PageHeader title="User" breadcrumbs={BREADCRUMBS} />
      <EmptyState title="No user is selected" text="Find the user in Support.">
        <LinkButton to="/support">Support</LinkButton>
      </EmptyState>
    </>
  );
}

/** How often the page is read again while workers erase. */
const ACTIVE_REFRESH_MS = 5_000;

function Person({ scope, draft }: { readonly scope: PersonScope; readonly draft: PersonDraft | null }) {
  const [erased, setErased] = useState<Erased | null>(null);
  const queries = useQueryClient();
  const queryKey = ["person", scope];
  const query = useQuery({ queryKey, queryFn: async () => (await request(PersonDocument, { ...scope })).person });
  const isErasing = query.data?.receipts.some(({ erase }) => erase === "QUEUED" || erase === "RUNNING") ?? false;
  useLive(query, isErasing ? ACTIVE_REFRESH_MS : REFRESH_MS);
  const show = (person: PersonDetailFragment, done: Erased) => {
    queries.setQueryData(queryKey, person);
    setErased(done);
  };
  return (
    <>
      <PageHeader
        title="User"
        breadcrumbs={BREADCRUMBS}
        description={
          <>
            <Code translate="no">{shownText(scope.externalSubjectId)}</Code> of client {scope.clientSlug}
            {scope.tenantKey !== null && `, tenant ${scope.tenantKey}`}
          </>
        }
      />
      {query.isPending && <ActionBar about={`${shownText(scope.externalSubjectId)} of ${scope.clientSlug}`} />}
      <Loaded query={query} sections={[4, 8]}>
        {(person) => (
          <>
            <PersonActions person={person} draft={draft} onErased={show} />
            <Text mb="lg">{summaryOf(person)}</Text>
            {(person.receipts.length > 0 || erased !== null) && <PersonReceipts person={person} erased={erased} />}
            {person.connections.length > 0 && <PersonConnections person={person} />}
            <PersonRecords person={person} />
            <Text mt="lg">
              <LinkTo to="/clients/$clientId" params={{ clientId: person.clientId }}>
                Client {person.clientSlug}
              </LinkTo>
            </Text>
          </>
        )}
      </Loaded>
    </>
  );
}

function summaryOf({ isStored, receipts }: PersonDetailFragment): string {
  if (isStored) return "The service stores data about this user. Nothing below is a value that a provider gave.";
  if (receipts.length > 0) return "Nothing is stored about this user now. The receipts are left.";
  return "Nothing is stored about this user. Check the client, the tenant and the id if you expected data.";
}
