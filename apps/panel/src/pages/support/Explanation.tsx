import { Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { SupportCause, SupportDetailFragment } from "../../_generated/support.ts";
import { CopyTextButton } from "../../ui/CopyTextButton.tsx";
import { DescriptionList, type Fact } from "../../ui/DescriptionList.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { Timestamp } from "../../ui/Timestamp.tsx";
import { ACTOR_STATES, CAUSE_NAMES } from "./labels.ts";

interface ExplanationProps {
  readonly connection: SupportDetailFragment;
}

/** Why the posts do not update, who can change that and how, and a message for the user. */
export function Explanation({ connection }: ExplanationProps) {
  const { cause, resolvedBy, nextStep, since, nextTryAt } = connection.explanation;
  const facts: Fact[] = [["Next step", <Text key="next">{nextStep}</Text>]];
  if (since !== null) facts.push(["Since", <Timestamp key="since" at={since} />]);
  if (nextTryAt !== null) facts.push(["Next attempt", <Timestamp key="try" at={nextTryAt} />]);
  return (
    <Section title={CAUSE_NAMES[cause] ?? cause} actions={<StatusBadge {...ACTOR_STATES[resolvedBy]} />}>
      <Stack gap="md">
        <DescriptionList facts={facts} />
        <Group gap="sm">
          <Pages connection={connection} />
        </Group>
        <UserMessage messages={connection.explanation.messages} />
      </Stack>
    </Section>
  );
}

const LANGUAGE_NAMES = new Intl.DisplayNames(["en"], { type: "language" });

type Messages = SupportDetailFragment["explanation"]["messages"];

/** The message to send, in the language of the user. */
function UserMessage({ messages }: { readonly messages: Messages }) {
  const [language, setLanguage] = useState("en");
  const text = messages.find((message) => message.language === language)?.text ?? "";
  return (
    <>
      <Group justify="space-between" align="flex-end">
        <NativeSelect
          label="Message for the user"
          data={messages.map((message) => ({
            value: message.language,
            label: LANGUAGE_NAMES.of(message.language) ?? message.language,
          }))}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value)}
        />
        <CopyTextButton label="the message for the user" text={text} />
      </Group>
      <Text component="p" m={0} lang={language}>
        {text}
      </Text>
    </>
  );
}

const CLIENT_CAUSES: ReadonlySet<string> = new Set<SupportCause>(["CLIENT_DISABLED", "POLICY_FORBIDS"]);
const REGISTRATION_CAUSES: ReadonlySet<string> = new Set<SupportCause>([
  "REGISTRATION_NOT_SERVING",
  "REGISTRATION_PAUSED",
  "REGISTRATION_DISABLED",
  "CAPABILITY_NOT_SERVED",
  "QUOTA_USED_UP",
]);
const HEALTH_CAUSES: ReadonlySet<string> = new Set<SupportCause>([
  "PROVIDER_OUTAGE",
  "SERVICE_FAULT",
  "WAITING_FOR_WORKER",
]);

/** The pages on which an admin can resolve a cause, with emphasis on the page that does it. */
function Pages({ connection }: { readonly connection: SupportDetailFragment }) {
  const { clientId, clientSlug, registrationId, explanation } = connection;
  const { cause } = explanation;
  const look = (isMain: boolean) => ({ variant: isMain ? "filled" : "default" });
  return (
    <>
      {cause === "CLIENT_WITHOUT_KEY" && (
        <LinkButton to="/clients/$clientId/keys" params={{ clientId }}>
          Keys of the client
        </LinkButton>
      )}
      <LinkButton to="/clients/$clientId" params={{ clientId }} {...look(CLIENT_CAUSES.has(cause))}>
        Client {clientSlug}
      </LinkButton>
      {registrationId !== null && (
        <LinkButton
          to="/registrations/$registrationId"
          params={{ registrationId }}
          {...look(REGISTRATION_CAUSES.has(cause))}
        >
          Registration
        </LinkButton>
      )}
      <LinkButton to="/health" {...look(HEALTH_CAUSES.has(cause))}>
        Health
      </LinkButton>
    </>
  );
}
