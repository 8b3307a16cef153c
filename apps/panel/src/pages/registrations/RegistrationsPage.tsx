import { Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { RegistrationFragment, RegistrationsQuery } from "../../_generated/registrations.ts";
import { RegistrationsDocument } from "../../_generated/registrations.ts";
import { request } from "../../api/request.ts";
import type { Column } from "../../ui/DataTable.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Loaded } from "../../ui/Loaded.tsx";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../ui/labels.ts";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { AVAILABILITY_REASONS } from "./availability.ts";
import { RegistrationBadge } from "./RegistrationBadge.tsx";

export function RegistrationsPage() {
  const query = useQuery({ queryKey: ["registrations", "list"], queryFn: () => request(RegistrationsDocument) });
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
      <Loaded query={query}>
        {({ availability, registrations }) => (
          <>
            <Section title="Availability">
              <DescriptionList facts={availability.map(describeAvailability)} />
            </Section>
            <Section title="All registrations">
              {registrations.length === 0 ? (
                <EmptyState
                  title="No registrations yet"
                  text="Register the service at a provider, then enter the client id and secret here."
                />
              ) : (
                <DataTable
                  caption="Registrations, by provider"
                  columns={COLUMNS}
                  rows={registrations}
                  rowKey={({ id }) => id}
                />
              )}
            </Section>
          </>
        )}
      </Loaded>
    </>
  );
}

function describeAvailability({ provider, available, reason }: RegistrationsQuery["availability"][number]) {
  const state = available ? (
    <StatusBadge tone="good">Available</StatusBadge>
  ) : (
    <StatusBadge tone={reason === "NO_REGISTRATION" ? "idle" : "waiting"}>
      {AVAILABILITY_REASONS[reason ?? ""] ?? "Unavailable"}
    </StatusBadge>
  );
  return [PROVIDER_NAMES[provider], state] as const;
}

const COLUMNS: readonly Column<RegistrationFragment>[] = [
  {
    header: "Registration",
    isRowHeader: true,
    cell: ({ id, provider, clientIdHint }) => (
      <>
        <LinkTo to="/registrations/$registrationId" params={{ registrationId: id }} fw={600}>
          {PROVIDER_NAMES[provider]}
        </LinkTo>
        <Text size="xs" c="dimmed">
          Client id {clientIdHint}
        </Text>
      </>
    ),
  },
  { header: "State", cell: ({ status }) => <RegistrationBadge status={status} /> },
  {
    header: "Capabilities",
    cell: ({ capabilities }) => capabilities.map((capability) => CAPABILITY_NAMES[capability]).join(", "),
  },
  { header: "Clients", cell: ({ applications }) => describeServed(applications) },
  { header: "Updated", cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
];

const MOST_NAMED = 3;

function describeServed(slugs: readonly string[] | null): string {
  if (slugs === null) return "All clients";
  if (slugs.length === 0) return "No clients";
  return slugs.length <= MOST_NAMED ? slugs.join(", ") : `${slugs.length} clients`;
}
