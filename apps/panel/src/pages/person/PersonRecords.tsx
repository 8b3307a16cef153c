import { Text } from "@mantine/core";
import type { PersonDetailFragment } from "../../_generated/person.ts";
import { AccountName } from "../../ui/AccountName.tsx";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { CONNECTION_STATES } from "../health/labels.ts";

type Connection = PersonDetailFragment["connections"][number];
type Record = PersonDetailFragment["records"][number];

interface PersonProps {
  readonly person: PersonDetailFragment;
}

export function PersonConnections({ person }: PersonProps) {
  return (
    <Section title="Linked accounts">
      <DataTable
        caption="Linked accounts, newest first"
        columns={CONNECTIONS}
        rows={person.connections}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

/** How many rows of each table are stored, and until when. */
export function PersonRecords({ person }: PersonProps) {
  return (
    <Section title="Stored records" description="An export has every field of them. Tokens are never in it.">
      <DataTable
        caption="Stored records"
        columns={RECORDS}
        rows={person.records}
        rowKey={({ table }) => table}
        empty={<EmptyState title="Nothing is stored" />}
      />
    </Section>
  );
}

const PROFILE_FIELDS: Readonly<{ [field: string]: string }> = {
  displayName: "name",
  handle: "handle",
  avatarUrl: "picture",
  profileUrl: "address",
  description: "description",
};

const CONNECTIONS: readonly Column<Connection>[] = [
  { header: "Account", cell: (account) => <AccountName {...account} /> },
  { header: "Status", cell: ({ status }) => <StatusBadge {...CONNECTION_STATES[status]} /> },
  { header: "Linked", cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  {
    header: "Profile",
    cell: ({ profileFields, profileEndsAt }) =>
      profileFields.length === 0 ? (
        "not stored"
      ) : (
        <Kept
          text={profileFields.map((field) => PROFILE_FIELDS[field] ?? field).join(", ")}
          until="deleted"
          endsAt={profileEndsAt}
        />
      ),
  },
  { header: "Posts", isNumber: true, cell: ({ posts }) => posts.toLocaleString("en") },
];

const RECORDS: readonly Column<Record>[] = [
  { header: "What", cell: ({ what }) => <Text size="sm">{what}</Text> },
  { header: "Rows", isNumber: true, cell: ({ rows }) => rows.toLocaleString("en") },
  {
    header: "Stored until",
    cell: ({ storedUntil, endsAt }) => <Kept text={storedUntil} until="the last is deleted" endsAt={endsAt} />,
  },
];

interface KeptProps {
  readonly text: string;
  /** What happens at that time. */
  readonly until: string;
  readonly endsAt: string | null;
}

function Kept({ text, until, endsAt }: KeptProps) {
  return (
    <>
      <Text size="sm">{text}</Text>
      {endsAt !== null && (
        <Text size="sm" c="dimmed">
          {until} <Timestamp at={endsAt} />
        </Text>
      )}
    </>
  );
}
