import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./EmptyState.module.css";

interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** Suggested actions. */
  readonly children?: ReactNode;
}

export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <Stack className={classes.empty} gap={6} align="center">
      <Text fw={600}>{title}</Text>
      {text !== undefined && (
        <Text c="dimmed" size="sm" maw="46ch">
          {text}
        </Text>
      )}
      {children !== undefined && <div className={classes.actions}>{children}</div>}
    </Stack>
  );
}
