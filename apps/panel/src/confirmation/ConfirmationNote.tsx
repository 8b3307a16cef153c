import { Group, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldLock } from "@tabler/icons-react";
import { asMinutes, useConfirmedFor } from "./useConfirmedFor.ts";

/** States whether the sign-in is recent enough for an operation that needs a confirmation. */
export function ConfirmationNote() {
  const seconds = useConfirmedFor();
  const Icon = seconds > 0 ? IconShieldCheck : IconShieldLock;
  return (
    <Group gap={8} wrap="nowrap" c="dimmed">
      <Icon size={18} stroke={1.7} aria-hidden />
      <Text size="sm">
        {seconds > 0 ? (
          <>
            Your sign-in is recent enough for another <time dateTime={`PT${seconds}S`}>{asMinutes(seconds)}</time>.
          </>
        ) : (
          "You have to sign in again first. Your input is saved."
        )}
      </Text>
    </Group>
  );
}
