import { Text } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { ConfirmedFor } from "../confirmation/ConfirmedFor.tsx";
import { signOut } from "../session/session.ts";
import { HeaderMenu } from "../ui/HeaderMenu.tsx";
import { notifyFailure } from "../ui/notify.ts";

/** The account menu: the signed-in admin, and signing out. */
export function Account({ email }: { readonly email: string }) {
  const leave = async () => {
    if (!(await signOut())) notifyFailure("You are still signed in: the service did not respond. Try again.");
  };
  return (
    <HeaderMenu
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
