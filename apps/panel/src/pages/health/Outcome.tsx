import { Code, Text } from "@mantine/core";
import type { CodeDescription } from "./codeDescriptions.ts";

/** A code, and what it means. */
export function Outcome({
  code,
  meaning,
}: {
  readonly code: string | null;
  readonly meaning: (code: string) => CodeDescription;
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
