import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** The name of a row, and what it is about. */
export function TwoLines({ name, detail }: { readonly name: ReactNode; readonly detail: ReactNode }) {
  return (
    <>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {detail}
      </Text>
    </>
  );
}
