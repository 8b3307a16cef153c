import { Code } from "@mantine/core";
import { Fragment } from "react";
import type { SupportDetailFragment } from "../../_generated/support.ts";
import { DescriptionList, type Fact } from "../../ui/DescriptionList.tsx";
import { CAPABILITY_NAMES, PROVIDER_NAMES, REGISTRATION_STATES } from "../../ui/labels.ts";
import { LinkTo } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { shownText } from "../../ui/shownText.ts";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { AVAILABILITY_NAMES, inWords, SYNC_NAMES } from "./labels.ts";

/** The connection's columns, without anything that its user has published. */
export function ConnectionFacts({ connection }: { readonly connection: SupportDetailFragment }) {
  const { status, capabilities, grant, posts, refusals } = connection;
  if (status === null) return null;
  return (
    <>
      <Section title="Connection">
        <DescriptionList facts={factsOf(connection)} />
      </Section>
      <Section title="Capabilities">
        <DescriptionList
          facts={capabilities.map(({ capability, availability, reason }) => [
            CAPABILITY_NAMES[capability],
            reason === null
              ? AVAILABILITY_NAMES[availability]
              : `${AVAILABILITY_NAMES[availability]}: ${inWords(reason)}`,
          ])}
        />
      </Section>
      {refusals.length > 0 && (
        <Section
          title="Refused calls"
          description="The provider refuses these with a code that the service does not know. A good answer restores everything."
        >
          <DescriptionList facts={refusals.map(factOfRefusal)} />
        </Section>
      )}
      <Section title="Credential" description="Its state and ages. The credential itself is never shown.">
        {grant === null ? "No credential is stored." : <DescriptionList facts={factsOfGrant(grant)} />}
      </Section>
      <Section title="Stored posts">
        {posts.length === 0 ? (
          "No post is stored."
        ) : (
          <DescriptionList
            facts={posts.map(({ availability, count }) => [
              AVAILABILITY_NAMES[availability],
              count.toLocaleString("en"),
            ])}
          />
        )}
      </Section>
    </>
  );
}

function factsOf(connection: SupportDetailFragment): readonly Fact[] {
  const { tenantKey, provider, accountHint, syncStatus, registrationStatus } = connection;
  return [
    ["User", <User key="user" connection={connection} />],
    ["Tenant", <Code key="tenant">{tenantKey}</Code>],
    ["Provider", PROVIDER_NAMES[provider]],
    ["Account ends in", accountHint === null ? "not shown" : <Code key="account">{accountHint}</Code>],
    ["Posts", syncStatus === null ? "" : SYNC_NAMES[syncStatus]],
    ["Linked", <Timestamp key="linked" at={connection.createdAt} />],
    ["Last successful scan", <Timestamp key="last" at={connection.lastSuccessfulSyncAt} />],
    [
      "Next planned scan",
      connection.nextScanAt === null ? "none" : <Timestamp key="next" at={connection.nextScanAt} />,
    ],
    [
      "Registration",
      registrationStatus && <StatusBadge key="registration" {...REGISTRATION_STATES[registrationStatus]} />,
    ],
  ];
}

const CALL_NAMES: Readonly<Record<SupportDetailFragment["refusals"][number]["calls"], string>> = {
  TOKEN: "Token refresh",
  ACCOUNT: "Account",
  LIST: "List of posts",
  METRICS: "Numbers of posts",
  LOOKUP: "Lookups of posts",
};

function factOfRefusal(refusal: SupportDetailFragment["refusals"][number]): Fact {
  const { calls, code, message, since, lastAt, attempts, endedAt } = refusal;
  return [
    CALL_NAMES[calls],
    <Fragment key={calls}>
      <Code translate="no">{code ?? "no code"}</Code> {message} Refused {attempts} times since <Timestamp at={since} />,
      last <Timestamp at={lastAt} />. {endedAt !== null && "Background reads have ended."}
    </Fragment>,
  ];
}

function factsOfGrant(grant: NonNullable<SupportDetailFragment["grant"]>): Fact[] {
  const expiry = (at: string | null, key: string) =>
    at === null ? "does not expire" : <Timestamp key={key} at={at} />;
  return [
    ["State", grant.isActive ? "Active" : "Ended"],
    ["Consented", <Timestamp key="consented" at={grant.createdAt} />],
    ["Changed", <Timestamp key="changed" at={grant.updatedAt} />],
    ["Renewals", grant.renewals],
    ["Access token expires", expiry(grant.accessTokenExpiresAt, "access")],
    ["Refresh token expires", expiry(grant.refreshTokenExpiresAt, "refresh")],
  ];
}

function User({ connection }: { readonly connection: SupportDetailFragment }) {
  const { clientSlug, tenantKey, externalSubjectId } = connection;
  if (externalSubjectId === null) return null;
  return (
    <LinkTo to="/support/person" state={{ person: { clientSlug, tenantKey, externalSubjectId } }}>
      <Code translate="no">{shownText(externalSubjectId)}</Code>
    </LinkTo>
  );
}
