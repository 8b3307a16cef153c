import { Code, Text } from "@mantine/core";
import type { Meaning } from "./meanings.ts";

/** A code, and what it means. */
export function Ending({
  code,
  meaning,
}: {
  readonly code: string | null;
  readonly meaning: (code: string) => Meaning;
}) {
  if (code === null) return <>–</>;
  return (
    <>
      <Code translate="no">{code}</Code>
      <Text size="sm" c="dimmed" mt={2}>
        {meaning(code).text}
      </Text>
    </>
  );
}
