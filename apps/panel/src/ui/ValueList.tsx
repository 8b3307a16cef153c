import { ActionIcon, Box, Button, Group, Text, TextInput } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import classes from "./rows.module.css";

export interface ValueNotes {
  readonly of: ReadonlyMap<string, string | null>;
  readonly onChange: (value: string) => void;
}

interface ValueListProps {
  /** What the values are, e.g. “Origins”. */
  readonly label: string;
  readonly values: readonly string[];
  readonly notes?: ValueNotes | undefined;
  /** Shown if the list is empty. */
  readonly empty: string;
  readonly onRemove: (value: string) => void;
}

const SHOWN_FIRST = 10;
const SHOWN_MORE = 50;
/** Longer lists have a search field. */
const SEARCHABLE_LENGTH = 12;

/** A list of strings, each with a button that removes it, and its note. Long lists are truncated and searchable. */
export function ValueList({ label, values, notes, empty, onRemove }: ValueListProps) {
  const [find, setFind] = useState("");
  const [most, setMost] = useState(SHOWN_FIRST);
  const found = values.filter((value) =>
    `${value} ${notes?.of.get(value) ?? ""}`.toLowerCase().includes(find.trim().toLowerCase()),
  );
  return (
    <>
      {values.length > SEARCHABLE_LENGTH && (
        <TextInput
          type="search"
          aria-label={`Find in ${label}`}
          placeholder={`Find in ${values.length}`}
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
          mb="sm"
          maw={320}
          spellCheck={false}
        />
      )}
      <ul className={classes.rows} aria-label={label}>
        {found.slice(0, most).map((value) => (
          <Group component="li" key={value} justify="space-between" gap="sm" py={4} wrap="nowrap">
            <Box flex="1 1 auto" miw={0} style={{ overflowWrap: "anywhere" }}>
              <Text span ff="monospace" fz="0.87rem" translate="no">
                {value}
              </Text>
              {notes?.of.get(value) != null && <Text size="sm">{notes.of.get(value)}</Text>}
            </Box>
            {notes !== undefined && (
              <ActionIcon
                variant="subtle"
                color="gray"
                c="dimmed"
                size="lg"
                aria-label={`Change the note of ${value}`}
                onClick={() => notes.onChange(value)}
              >
                <IconPencil size={18} stroke={1.7} aria-hidden />
              </ActionIcon>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              c="dimmed"
              size="lg"
              aria-label={`Remove ${value}`}
              onClick={() => onRemove(value)}
            >
              <IconTrash size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </ul>
      {found.length === 0 && (
        <Text size="sm" c="dimmed" py={6}>
          {values.length === 0 ? empty : "No matches."}
        </Text>
      )}
      {found.length > most && (
        <Group mt="sm" gap="sm">
          <Button variant="default" size="xs" onClick={() => setMost(most + SHOWN_MORE)}>
            Show more
          </Button>
          <Text size="sm" c="dimmed">
            {most} of {found.length}
          </Text>
        </Group>
      )}
    </>
  );
}
