import { Button, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClockExclamation } from "@tabler/icons-react";
import { useState } from "react";
import { LinkTo } from "../../ui/links.tsx";
import classes from "./AttentionList.module.css";
import { type Attention, NOTHING_TO_DO, pageOf } from "./attention.ts";

const SHOWN_FIRST = 8;

export function AttentionList({ items }: { readonly items: readonly Attention[] }) {
  const [isWhole, setIsWhole] = useState(false);
  if (items.length === 0) return <NothingToDo />;
  const shown = isWhole ? items : items.slice(0, SHOWN_FIRST);
  return (
    <>
      <ul className={classes.items}>
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

function Item({ item: { severity, title, detail, link } }: { readonly item: Attention }) {
  const Icon = severity === "bad" ? IconAlertTriangle : IconClockExclamation;
  return (
    <li className={classes.item} data-severity={severity}>
      <Icon size={20} stroke={1.7} aria-hidden className={classes.icon} />
      <div className={classes.words}>
        <LinkTo to={pageOf(link)} fw={600}>
          {title}
        </LinkTo>
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      </div>
    </li>
  );
}

function NothingToDo() {
  return (
    <div className={classes.quiet}>
      <IconCircleCheck size={28} stroke={1.6} aria-hidden />
      <div>
        <Text fw={600}>{NOTHING_TO_DO.title}</Text>
        <Text size="sm" c="dimmed">
          {NOTHING_TO_DO.detail}
        </Text>
      </div>
    </div>
  );
}
