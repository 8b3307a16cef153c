import { Box, Button, Group, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClockExclamation } from "@tabler/icons-react";
import { useState } from "react";
import { LinkTo } from "../../ui/links.tsx";
import classes from "../../ui/rows.module.css";
import { type Attention, NOTHING_TO_DO, pageOf, searchOf } from "./attention.ts";
import type { LinkedText } from "./incidentTexts.ts";

const SHOWN_FIRST = 8;

export function AttentionList({ items }: { readonly items: readonly Attention[] }) {
  const [isWhole, setIsWhole] = useState(false);
  if (items.length === 0) return <NothingToDo />;
  const shown = isWhole ? items : items.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className={classes.rows}>
        {shown.map((item) => (
          <Item key={item.key} item={item} />
        ))}
      </ul>
      {shown.length < items.length && (
        <Button variant="default" size="compact-sm" mt="xs" onClick={() => setIsWhole(true)}>
          Show {items.length - shown.length} more
        </Button>
      )}
    </>
  );
}

const COLORS = { bad: "light-dark(#a1301c, #ff9d87)", soon: "light-dark(#7a5200, #f0c165)" };

function Item({ item }: { readonly item: Attention }) {
  const { severity, title, detail, link, affected = null, registration = null, notes = [], parts = [] } = item;
  const Icon = severity === "bad" ? IconAlertTriangle : IconClockExclamation;
  return (
    <Group component="li" gap="sm" py={12} align="flex-start" wrap="nowrap">
      <Icon size={20} stroke={1.7} aria-hidden color={COLORS[severity]} />
      <Box miw={0} style={{ overflowWrap: "anywhere" }}>
        <LinkTo to={pageOf(link)} search={searchOf(link)} fw={600}>
          {title}
        </LinkTo>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
        {affected !== null && <LinkedLine linked={affected} />}
        {notes.map((note) => (
          <Text key={note} size="sm" c="dimmed">
            {note}
          </Text>
        ))}
        {registration !== null && <LinkedLine linked={registration} />}
        {parts.length > 0 && (
          <details>
            <Text component="summary" size="sm" style={{ cursor: "pointer" }}>{`${parts.length} registrations`}</Text>
            <ul className={classes.rows}>
              {parts.map((part) => (
                <Item key={part.key} item={part} />
              ))}
            </ul>
          </details>
        )}
      </Box>
    </Group>
  );
}

function LinkedLine({ linked: { text, link } }: { readonly linked: LinkedText }) {
  return (
    <Text size="sm">
      {link === null ? (
        text
      ) : (
        <LinkTo to={pageOf(link)} search={searchOf(link)} size="sm">
          {text}
        </LinkTo>
      )}
    </Text>
  );
}

function NothingToDo() {
  return (
    <Group gap={14} wrap="nowrap">
      <IconCircleCheck size={28} stroke={1.6} aria-hidden color="light-dark(#127558, #5fcfab)" />
      <div>
        <Text fw={600}>{NOTHING_TO_DO.title}</Text>
        <Text size="sm" c="dimmed">
          {NOTHING_TO_DO.detail}
        </Text>
      </div>
    </Group>
  );
}
