import { ActionIcon, Button, Group, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import classes from "./ValueList.module.css";

interface ValueListProps {
  /** What the values are, e.g. “Origins”. */
  readonly label: string;
  readonly values: readonly string[];
  /** Shown when there is none. */
  readonly empty: string;
  readonly onRemove: (value: string) => void;
}

const SHOWN_AT_ONCE = 10;
const SHOWN_MORE = 50;
/** From so many on, a list can be searched. */
const LONG = 12;

/** Values that are text, each with a button that takes it away. A long list shows its beginning, and what is looked for. */
export function ValueList({ label, values, empty, onRemove }: ValueListProps) {
  const [find, setFind] = useState("");
  const [most, setMost] = useState(SHOWN_AT_ONCE);
  const found = values.filter((value) => value.toLowerCase().includes(find.trim().toLowerCase()));
  return (
    <>
      {values.length > LONG && (
        <TextInput
          type="search"
          aria-label={`Find in ${label}`}
          placeholder={`Find in ${values.length}`}
          value={find}
          onChange={(event) => setFind(event.currentTarget.value)}
          mb="sm"
          maw={320}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <ul className={classes.list} aria-label={label}>
        {found.slice(0, most).map((value) => (
          <li key={value} className={classes.item}>
            <span className={classes.value} translate="no">
              {value}
            </span>
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
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <Text size="sm" c="dimmed" py={6}>
          {values.length === 0 ? empty : "Nothing like that is in the list."}
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
