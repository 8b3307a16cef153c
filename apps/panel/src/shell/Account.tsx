import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { ConfirmedFor } from "../confirmation/ConfirmedFor.tsx";
import { signOut } from "../session/session.ts";
import { notifyFailure } from "../ui/notify.ts";

/** The account menu: the signed-in admin, and signing out. */
export function Account({ email }: { readonly email: string }) {
  const leave = async () => {
    if (!(await signOut())) notifyFailure("You are still signed in: the service did not respond. Try again.");
  };
  return (
    <Menu position="bottom-end" width={260} shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="default" size={38} radius="xl" aria-label={`Account of ${email}`}>
          <IconUser size={19} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text span size="sm" fw={600} c="var(--mantine-color-text)" style={{ overflowWrap: "anywhere" }}>
            {email}
          </Text>
          <ConfirmedFor />
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={17} stroke={1.7} aria-hidden />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
