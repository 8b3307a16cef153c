import { Box, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly title: string;
  readonly text?: ReactNode;
  /** Suggested actions. */
  readonly children?: ReactNode;
}

export function EmptyState({ title, text, children }: EmptyStateProps) {
  return (
    <Stack
      gap={6}
      align="center"
      ta="center"
      p="36px 20px"
      bd="1px dashed var(--mantine-color-default-border)"
      bdrs="lg"
    >
      <Text fw={600}>{title}</Text>
      {text !== undefined && (
        <Text c="dimmed" size="sm" maw="46ch">
          {text}
        </Text>
      )}
      {children !== undefined && <Box mt="sm">{children}</Box>}
    </Stack>
  );
}
