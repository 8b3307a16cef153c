import { Text } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { asMinutes, useConfirmedFor } from "../confirmation/useConfirmedFor.ts";
import { ActionMenu } from "../ui/ActionMenu.tsx";
import { leave } from "../ui/leave.ts";

/** The account menu: the signed-in admin, and signing out. */
export function Account({ email }: { readonly email: string }) {
  return (
    <ActionMenu
      label={`Account of ${email}`}
      icon={<IconUser size={19} stroke={1.7} aria-hidden />}
      heading={
        <>
          <Text span size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
            {email}
          </Text>
          <ConfirmedFor />
        </>
      }
      items={[
        {
          label: "Sign out",
          icon: <IconLogout size={17} stroke={1.7} aria-hidden />,
          onSelect: () => void leave(),
        },
      ]}
    />
  );
}

/** The remaining time of the confirmation. */
function ConfirmedFor() {
  const seconds = useConfirmedFor();
  if (seconds === 0) return null;
  return (
    <Text span size="xs" c="dimmed" display="block" mt={2}>
      Confirmed for another <time dateTime={`PT${seconds}S`}>{asMinutes(seconds)}</time>
    </Text>
  );
}
