import { Group, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldLock } from "@tabler/icons-react";
import { asMinutes, useConfirmedFor } from "./useConfirmedFor.ts";

/** Beside a button that needs a fresh sign-in: whether there is one. */
export function ConfirmationNote() {
  const seconds = useConfirmedFor();
  const Icon = seconds > 0 ? IconShieldCheck : IconShieldLock;
  return (
    <Group gap={8} wrap="nowrap" c="dimmed">
      <Icon size={18} stroke={1.7} aria-hidden />
      <Text size="sm">
        {seconds > 0 ? (
          <>
            You signed in a moment ago, which is good for another{" "}
            <time dateTime={`PT${seconds}S`}>{asMinutes(seconds)}</time>.
          </>
        ) : (
          "You will be asked to sign in again first, and come back to what you are doing here."
        )}
      </Text>
    </Group>
  );
}
