import { Text } from "@mantine/core";
import { IconLogout, IconUser } from "@tabler/icons-react";
import { ConfirmedFor } from "../confirmation/ConfirmedFor.tsx";
import { HeaderMenu } from "../ui/HeaderMenu.tsx";
import { leave } from "../ui/leave.ts";

/** The account menu: the signed-in admin, and signing out. */
export function Account({ email }: { readonly email: string }) {
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
