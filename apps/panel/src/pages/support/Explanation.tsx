import { Group, Stack, Text } from "@mantine/core";
import type { SupportDetailFragment } from "../../_generated/support.ts";
import { CopyTextButton } from "../../ui/CopyTextButton.tsx";
import { DescriptionList, type Fact } from "../../ui/DescriptionList.tsx";
import { LinkTo } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { ACTOR_STATES, CAUSE_NAMES } from "./labels.ts";

/** Why the posts do not update, what an admin can do, and a message for the user. */
export function Explanation({ connection }: { readonly connection: SupportDetailFragment }) {
  const { cause, resolvedBy, userMessage, nextStep, since, nextTryAt } = connection.explanation;
  const facts: Fact[] = [["Next step", <Text key="next">{nextStep}</Text>]];
  if (since !== null) facts.push(["Since", <Timestamp key="since" at={since} />]);
  if (nextTryAt !== null) facts.push(["Next attempt", <Timestamp key="try" at={nextTryAt} />]);
  facts.push(["Where", <Pages key="pages" connection={connection} />]);
  return (
    <Section title={CAUSE_NAMES[cause] ?? cause} actions={<StatusBadge {...ACTOR_STATES[resolvedBy]} />}>
      <Stack gap="md">
        <DescriptionList facts={facts} />
        <Group justify="space-between" align="flex-end">
          <Text fw={600} size="sm">
            Message for the user
          </Text>
          <CopyTextButton label="the message for the user" text={userMessage} />
        </Group>
        <Text component="p" m={0}>
          {userMessage}
        </Text>
      </Stack>
    </Section>
  );
}

/** The pages on which an admin can resolve a cause. */
function Pages({ connection }: { readonly connection: SupportDetailFragment }) {
  const { clientId, clientSlug, registrationId } = connection;
  return (
    <Group gap="sm">
      <LinkTo to="/clients/$clientId" params={{ clientId }}>
        Client {clientSlug}
      </LinkTo>
      {registrationId !== null && (
        <LinkTo to="/registrations/$registrationId" params={{ registrationId }}>
          Registration
        </LinkTo>
      )}
      <LinkTo to="/health">Health</LinkTo>
    </Group>
  );
}
