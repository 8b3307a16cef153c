import { Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { Mark } from "../ui/Mark.tsx";
import { CenteredCard } from "./CenteredCard.tsx";
import { serviceMode } from "./serviceMode.ts";

/** Shown instead of any page if the admin is not signed in; the sign-in returns to that page. */
export function SignIn() {
  const returnTo = useLocation({ select: ({ publicHref }) => publicHref });
  const mode = serviceMode();
  const { host } = window.location;
  const signIn = `/panel/sign-in?returnTo=${encodeURIComponent(returnTo)}`;
  return (
    <CenteredCard title="Sign in">
      <Stack gap="lg" align="flex-start">
        <Mark size={44} />
        <div>
          <Title order={1} size="h2">
            Social Connect admin
          </Title>
          <Text mt={6} fw={600}>
            {mode === null ? host : `${mode} mode at ${host}`}
          </Text>
          <Text c="dimmed" mt={6}>
            Sign in with an account whose email address is on the list of admins.
          </Text>
        </div>
        <Button component="a" href={signIn} size="md" fullWidth>
          Sign in
        </Button>
        <Anchor href={`${signIn}&account=other`} size="sm">
          Use another account
        </Anchor>
      </Stack>
    </CenteredCard>
  );
}
