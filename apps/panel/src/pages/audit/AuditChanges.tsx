import { Text } from "@mantine/core";
import type { AuditEntryQuery } from "../../_generated/audit.ts";
import { type Column, DataTable } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { CAPABILITY_NAMES, capitalize, PROVIDER_NAMES } from "../../ui/labels.ts";
import { Timestamp } from "../../ui/Timestamp.tsx";

type Changes = NonNullable<AuditEntryQuery["changes"]>;

/** What an entry's change stored, field by field; null: not recorded. */
export function AuditChanges({ changes }: { readonly changes: Changes | null }) {
  if (changes === null)
    return <EmptyState title="Not recorded" text="Entries of earlier releases have no values before and after." />;
  return (
    <DataTable
      caption="Changed fields, before and after"
      columns={COLUMNS}
      rows={changes}
      rowKey={({ field }) => field}
      empty={<EmptyState title="No stored value changed" />}
    />
  );
}

const COLUMNS: readonly Column<Changes[number]>[] = [
  { header: "Field", cell: ({ field }) => fieldLabel(field) },
  {
    header: "Before",
    isLong: true,
    cell: ({ before, unchanged }) => <Values values={before} of={unchanged === null ? null : "Removed"} />,
  },
  {
    header: "After",
    isLong: true,
    cell: ({ after, unchanged }) => (
      <>
        <Values values={after} of={unchanged === null ? null : "Added"} />
        {unchanged !== null && (
          <Text size="sm" c="dimmed">
            {unchanged} unchanged
          </Text>
        )}
      </>
    ),
  },
];

interface ValuesProps {
  readonly values: readonly string[] | null;
  /** What these entries of a long list are. */
  readonly of: "Added" | "Removed" | null;
}

function Values({ values, of }: ValuesProps) {
  if (values === null) return <>{of === null ? "–" : `${of}: none`}</>;
  return (
    <>
      {of !== null && `${of}:`}
      {values.map((value) => (
        <div key={value} translate="no">
          {TIME.test(value) ? <Timestamp at={value} /> : (NAMES[value] ?? value)}
        </div>
      ))}
    </>
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NAMES: Readonly<Record<string, string>> = { ...PROVIDER_NAMES, ...CAPABILITY_NAMES };

/** A readable name of a column: `returnUrls` is “Return URLs”. */
export function fieldLabel(field: string): string {
  return field
    .split(".")
    .map((part) => NAMES[part] ?? capitalize(part.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)))
    .map((words) =>
      words
        .replace(/\burl(?=s?\b)/gi, "URL")
        .replace(/\bid\b/g, "ID")
        .replace(/\bidp\b/gi, "IdP"),
    )
    .join(": ");
}
