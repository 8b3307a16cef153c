import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./TimeChart.module.css";

interface ActivityPartProps {
  readonly title: string;
  readonly note: string | null;
  readonly isEmpty: boolean;
  readonly children: ReactNode;
}

/** A chart or a table of counts. */
export function ActivityPart({ title, note, isEmpty, children }: ActivityPartProps) {
  const text = isEmpty ? "Nothing was counted in this range." : note;
  return (
    <div className={classes.part}>
      <Text component="h3" fw={600} size="sm" m={0}>
        {title}
      </Text>
      {text !== null && (
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      )}
      {!isEmpty && children}
    </div>
  );
}
