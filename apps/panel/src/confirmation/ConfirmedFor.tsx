import { Text } from "@mantine/core";
import { asMinutes, useConfirmedFor } from "./useConfirmedFor.ts";

/** How long the last sign-in is still fresh enough for what needs one. */
export function ConfirmedFor() {
  const seconds = useConfirmedFor();
  if (seconds === 0) return null;
  return (
    <Text span size="xs" c="dimmed" display="block" mt={2}>
      Confirmed for another <time dateTime={`PT${seconds}S`}>{asMinutes(seconds)}</time>
    </Text>
  );
}
