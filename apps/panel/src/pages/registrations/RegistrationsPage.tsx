import { Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import {
  type RegistrationFragment,
  RegistrationsDocument,
  type RegistrationsQuery,
} from "../../_generated/registrations.ts";
import { request } from "../../api/request.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { CAPABILITY_NAMES, namesOf, PROVIDER_NAMES, REGISTRATION_STATES } from "../../ui/labels.ts";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section, Total } from "../../ui/Section.tsx";
import { type Status, StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { useLive } from "../../ui/useLive.ts";
import classes from "./RegistrationsPage.module.css";

export function RegistrationsPage() {
  const query = useQuery({ queryKey: ["registrations", "list"], queryFn: () => request(RegistrationsDocument) });
  useLive(query);
  return (
    <>
      <PageHeader
        title="Registrations"
        description="The service’s client at each provider, and the provider’s URLs."
        actions={
          <LinkButton to="/registrations/new" leftSection={<IconPlus size={18} aria-hidden />}>
            New registration
          </LinkButton>
        }
      />
      <Loaded query={query} sections={[4, 6]}>
        {({ availability, registrations }) => (
          <>
            <Section title="Availability">
              <DescriptionList facts={availability.map(describeAvailability)} />
            </Section>
            <Section title="All registrations" actions={<Total count={registrations.length} />}>
              <DataTable
                caption="Registrations, by provider"
                columns={COLUMNS}
                rows={registrations}
                rowKey={({ id }) => id}
                empty={
                  <EmptyState
                    title="No registrations yet"
                    text="Register the service at a provider, then enter the client id and secret here."
                  />
                }
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

/** The service's reasons why a provider is unavailable. */
const UNAVAILABLE: Readonly<Record<string, Status>> = {
  NO_REGISTRATION: { label: "Not registered", tone: "idle" },
  REGISTRATION_DRAFT: { label: "Still a draft", tone: "waiting" },
  REGISTRATION_PAUSED: { label: "Paused", tone: "waiting" },
  REGISTRATION_DISABLED: { label: "Disabled", tone: "waiting" },
};

function describeAvailability({ provider, available, reason }: RegistrationsQuery["availability"][number]) {
  const unavailable = UNAVAILABLE[reason ?? ""] ?? { label: "Unavailable", tone: "waiting" };
  const status: Status = available ? { label: "Available", tone: "good" } : unavailable;
  return [PROVIDER_NAMES[provider], <StatusBadge key="status" {...status} />] as const;
}

const COLUMNS: readonly Column<RegistrationFragment>[] = [
  {
    header: "Registration",
    sortBy: ({ provider }) => PROVIDER_NAMES[provider],
    cell: ({ id, provider, clientIdHint }) => (
      <>
        <LinkTo to="/registrations/$registrationId" params={{ registrationId: id }} fw={600} size="sm">
          <span className={classes.provider}>{PROVIDER_NAMES[provider]}</span>
        </LinkTo>
        <Text size="xs" c="dimmed">
          Client id {clientIdHint}
        </Text>
      </>
    ),
  },
  {
    header: "State",
    sortBy: ({ status }) => REGISTRATION_STATES[status].label,
    cell: ({ status }) => <StatusBadge {...REGISTRATION_STATES[status]} />,
  },
  { header: "Capabilities", cell: ({ capabilities }) => namesOf(CAPABILITY_NAMES, capabilities) },
  { header: "Clients", isLong: true, cell: ({ applications }) => describeServed(applications) },
  { header: "Updated", sortBy: ({ updatedAt }) => updatedAt, cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
];

const MOST_NAMED = 3;

function describeServed(slugs: readonly string[] | null): string {
  if (slugs === null) return "All clients";
  if (slugs.length === 0) return "No clients";
  return slugs.length <= MOST_NAMED ? slugs.join(", ") : `${slugs.length} clients`;
}
