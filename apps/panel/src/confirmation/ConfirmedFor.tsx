import { Text } from "@mantine/core";
import { asMinutes, useConfirmedFor } from "./useConfirmedFor.ts";

/** The remaining time of the confirmation. */
export function ConfirmedFor() {
  const seconds = useConfirmedFor();
  if (seconds === 0) return null;
  return (
    <Text span size="xs" c="dimmed" display="block" mt={2}>
      Confirmed for another <time dateTime={`PT${seconds}S`}>{asMinutes(seconds)}</time>
    </Text>
  );
}
