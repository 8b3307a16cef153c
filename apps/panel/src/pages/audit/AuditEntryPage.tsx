import { Button, Code, CopyButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { EntryFragment } from "../../_generated/audit.ts";
import { AuditEntryDocument } from "../../_generated/audit.ts";
import { request } from "../../api/request.ts";
import type { Fact } from "../../ui/DescriptionList.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkTo } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";

const route = getRouteApi("/audit/$entryId");

/** One entry, at an address that can be sent to somebody. */
export function AuditEntryPage() {
  const { entryId } = route.useParams();
  const query = useQuery({
    queryKey: ["audit", "entry", entryId],
    queryFn: async () => (await request(AuditEntryDocument, { id: entryId })).entry,
  });
  return (
    <>
      <PageHeader
        title={query.data?.action ?? "Audit entry"}
        above={[{ to: "/audit", label: "Audit log" }]}
        description={query.data?.summary}
        actions={query.data && <CopyAddress />}
      />
      <Section title="The entry">
        <Loaded query={query}>
          {(entry) =>
            entry === null ? (
              <EmptyState
                title="There is no such entry any more"
                text="Entries are kept for 30 days. It may be older than that, or the address is not complete."
              />
            ) : (
              <DescriptionList facts={factsOf(entry)} />
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

function factsOf(entry: EntryFragment): readonly Fact[] {
  const { id, at, actor, apiKeyId, clientSlug } = entry;
  const facts: Fact[] = [
    ["When", <Timestamp key="when" at={at} />],
    ["At", <Code key="at">{at}</Code>],
    ["By", <Actor key="by" name={actor} keyId={apiKeyId} />],
    ["Changed", <Target key="changed" entry={entry} />],
    ["Entry", <Code key="entry">{id}</Code>],
  ];
  if (clientSlug === null) return facts;
  const others = (
    <LinkTo key="client" to="/audit" search={{ client: clientSlug }}>
      {clientSlug}
    </LinkTo>
  );
  return facts.toSpliced(4, 0, ["Client", others]);
}

function Actor({ name, keyId }: { readonly name: string; readonly keyId: string | null }) {
  if (keyId === null) return <>{name}</>;
  return (
    <LinkTo to="/api-keys/$keyId" params={{ keyId }}>
      {name}
    </LinkTo>
  );
}

/** Where the page is of what an entry tells of; admins have no page each. */
const TARGETS: Readonly<Record<string, { readonly name: string; readonly page: (id: string) => string }>> = {
  CLIENT: { name: "Client", page: (id) => `/clients/${id}` },
  REGISTRATION: { name: "Registration", page: (id) => `/registrations/${id}` },
  API_KEY: { name: "Admin key", page: (id) => `/api-keys/${id}` },
  ADMIN: { name: "Admin", page: () => "/admins" },
};

function Target({ entry: { targetType, targetId } }: { readonly entry: EntryFragment }) {
  const target = TARGETS[targetType];
  if (target === undefined) return <Code>{targetId}</Code>;
  return (
    <>
      <LinkTo to={target.page(targetId)}>{target.name}</LinkTo> <Code>{targetId}</Code>
    </>
  );
}

function CopyAddress() {
  return (
    <CopyButton value={window.location.href} timeout={3_000}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          <span aria-live="polite">{copied ? "Copied" : "Copy the address"}</span>
        </Button>
      )}
    </CopyButton>
  );
}
