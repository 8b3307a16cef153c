import { Code } from "@mantine/core";
import { ConnectionCount } from "../../ui/ConnectionCount.tsx";
import { DescriptionList, type Fact } from "../../ui/DescriptionList.tsx";
import { CAPABILITY_NAMES } from "../../ui/labels.ts";
import { LinkTo } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import type { RegistrationDetail } from "./queries.ts";

/** The configuration of a published registration, which is read-only. */
export function PublishedRegistration({ registration }: { readonly registration: RegistrationDetail }) {
  const { id, addresses, capabilities, scopes, clients, connectionCount, createdAt, updatedAt } = registration;
  const shown: Fact[] = [
    ["Authorization URL", address(addresses.authorization)],
    ["Token URL", address(addresses.token)],
    ["Revocation URL", addresses.revocation && address(addresses.revocation)],
    ["API base URL", address(addresses.api)],
    ["Issuer", addresses.issuer === null ? "The origin of the authorization URL" : address(addresses.issuer)],
    ["Client secret", "Stored, never shown"],
  ];
  const granted = scopes.filter(({ capability }) => capabilities.includes(capability));
  return (
    <>
      <Section
        title="Configuration"
        description="A published registration is read-only, apart from its quota. Pause it to change it."
      >
        <DescriptionList facts={shown} />
      </Section>
      <Section title="Capabilities">
        <DescriptionList
          facts={granted.map(({ capability, scopes: names }) => [
            CAPABILITY_NAMES[capability],
            <Code key={capability}>{names.join(" ")}</Code>,
          ])}
        />
      </Section>
      <Section title="Use">
        <DescriptionList
          facts={[
            ["Clients", clients === null ? "All clients" : <Served key="served" clients={clients} />],
            ["Connections", <ConnectionCount key="connections" count={connectionCount} of={{ registration: id }} />],
            ["Created", <Timestamp key="created" at={createdAt} />],
            ["Published", <Timestamp key="updated" at={updatedAt} />],
          ]}
        />
      </Section>
    </>
  );
}

function address(text: string) {
  return <Code translate="no">{text}</Code>;
}

const clientPage = (id: string): string => `/clients/${id}`;

function Served({ clients }: { readonly clients: NonNullable<RegistrationDetail["clients"]> }) {
  return clients.map(({ id, slug, displayName }, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <LinkTo to={clientPage(id)}>{displayName || slug}</LinkTo>
    </span>
  ));
}
