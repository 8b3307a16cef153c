import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { OneTimeSecret } from "../../ui/OneTimeSecret.tsx";
import { Section } from "../../ui/Section.tsx";
import { useClient } from "../clients/detail/useClient.ts";

/** A new secret of an endpoint, which is shown once. */
export function EndpointSecret({ title, secret }: { readonly title: string; readonly secret: string }) {
  const { id } = useClient();
  const navigate = useNavigate();
  return (
    <Section title={title}>
      <Text mb="md">The application’s backend verifies the signature of each event with it. Store it only there.</Text>
      <OneTimeSecret
        label="Signing secret"
        noun="secret"
        remedy="rotate it"
        secret={secret}
        variable="SOCIAL_CONNECT_EVENT_SECRET"
        // Replaces this page in the history, so that Back skips it.
        onDone={() => void navigate({ to: "/clients/$clientId/events", params: { clientId: id }, replace: true })}
      />
    </Section>
  );
}
