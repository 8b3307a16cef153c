import { Code, Text } from "@mantine/core";

/** A code and its description, if there is a code. */
export function Outcome({
  code,
  meaning,
}: {
  readonly code: string | null;
  readonly meaning: (code: string) => { readonly text: string };
}) {
  if (code === null) return null;
  return (
    <>
      <Code translate="no">{code}</Code>
      <Text size="sm" c="dimmed" mt={2}>
        {meaning(code).text}
      </Text>
    </>
  );
}
