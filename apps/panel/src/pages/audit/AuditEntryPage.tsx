import { Button, Code, CopyButton } from "@mantine/core";
import { LIMITS } from "@social-connect/contract";
import { durationText } from "@social-connect/domain";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { AuditEntryDocument, type EntryFragment } from "../../_generated/audit.ts";
import { request } from "../../api/request.ts";
import { CopyId } from "../../ui/CopyId.tsx";
import { DescriptionList, type Fact } from "../../ui/DescriptionList.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { LinkTo } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { LinesSkeleton } from "../../ui/Skeletons.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { AuditChanges } from "./AuditChanges.tsx";

const route = getRouteApi("/audit/$entryId");

/** One entry at a URL that admins can share. */
export function AuditEntryPage() {
  const { entryId } = route.useParams();
  const query = useQuery({
    queryKey: ["audit", "entry", entryId],
    queryFn: () => request(AuditEntryDocument, { id: entryId }),
  });
  const found = query.data?.entry ?? null;
  return (
    <>
      <PageHeader
        title={found?.action ?? "Audit entry"}
        breadcrumbs={[{ to: "/audit", label: "Audit log" }]}
        description={found?.summary ?? (query.isPending ? <LinesSkeleton count={2} /> : undefined)}
        actions={(found !== null || query.isPending) && <CopyUrl />}
      />
      <Loaded query={query} sections={[4, 6]}>
        {({ entry, changes }) =>
          entry === null ? (
            <EmptyState
              title="Entry not found"
              text={`Entries are deleted after ${durationText(LIMITS.auditRetentionMs)}, or the URL is incomplete.`}
            />
          ) : (
            <>
              <Section title="Before and after">
                <AuditChanges changes={changes ?? null} />
              </Section>
              <Section title="Details">
                <DescriptionList facts={factsOf(entry)} />
              </Section>
            </>
          )
        }
      </Loaded>
    </>
  );
}

function factsOf(entry: EntryFragment): readonly Fact[] {
  const { id, at, actor, apiKeyId, clientSlug } = entry;
  return [
    ["When", <Timestamp key="when" at={at} />],
    ["Timestamp", <Code key="at">{at}</Code>],
    ["Actor", <Actor key="by" name={actor} keyId={apiKeyId} />],
    ["Target", <Target key="changed" entry={entry} />],
    [
      "Client",
      clientSlug && (
        <LinkTo key="client" to="/audit" search={{ client: clientSlug }}>
          {clientSlug}
        </LinkTo>
      ),
    ],
    ["Entry id", <CopyId key="entry" id={id} of="entry" />],
  ];
}

function Actor({ name, keyId }: { readonly name: string; readonly keyId: string | null }) {
  if (keyId === null) return <>{name}</>;
  return (
    <LinkTo to="/api-keys/$keyId" params={{ keyId }}>
      {name}
    </LinkTo>
  );
}

/** The page of an entry's target; admins share one page. */
const TARGETS: Readonly<Record<string, { readonly name: string; readonly page: (id: string) => string }>> = {
  CLIENT: { name: "Client", page: (id) => `/clients/${id}` },
  REGISTRATION: { name: "Registration", page: (id) => `/registrations/${id}` },
  API_KEY: { name: "Admin key", page: (id) => `/api-keys/${id}` },
  CONNECTION: { name: "Connection", page: (id) => `/support/connections/${id}` },
  ADMIN: { name: "Admin", page: () => "/admins" },
};

function Target({ entry: { targetType, targetId } }: { readonly entry: EntryFragment }) {
  const target = TARGETS[targetType];
  if (target === undefined) return <Code>{targetId}</Code>;
  return (
    <>
      <LinkTo to={target.page(targetId)}>{target.name}</LinkTo> <CopyId id={targetId} of="target" />{" "}
      <LinkTo to="/audit" search={{ target: targetId }}>
        All changes
      </LinkTo>
    </>
  );
}

function CopyUrl() {
  return (
    <CopyButton value={window.location.href} timeout={3_000}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy}>
          <span aria-live="polite">{copied ? "Copied" : "Copy URL"}</span>
        </Button>
      )}
    </CopyButton>
  );
}
