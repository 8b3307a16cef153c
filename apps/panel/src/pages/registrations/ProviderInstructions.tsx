import { Code, Group } from "@mantine/core";
import { CopyTextButton } from "../../ui/CopyTextButton.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { Section } from "../../ui/Section.tsx";
import type { ProviderSetup } from "./queries.ts";

/** The values to register at the provider. */
export function ProviderInstructions({ setup }: { readonly setup: ProviderSetup }) {
  const { redirectUri, deauthorizationUrl, dataDeletionUrl, webhookUrl, publicApiName } = setup;
  const addresses = [
    ["Redirect URL", redirectUri],
    ["Deauthorize callback", deauthorizationUrl],
    ["Data deletion request URL", dataDeletionUrl],
    ["Webhook URL", webhookUrl],
  ] as const;
  return (
    <Section title="At the provider" description={`Register a client for ${publicApiName} with exactly these values.`}>
      <DescriptionList
        facts={addresses.flatMap(([name, url]) =>
          url === null ? [] : [[name, <Copyable key={name} name={name} text={url} />] as const],
        )}
      />
    </Section>
  );
}

function Copyable({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <Group gap="6px 10px">
      <Code translate="no" bg="var(--panel-sunken)" style={{ overflowWrap: "anywhere", userSelect: "all" }}>
        {text}
      </Code>
      <CopyTextButton label={name[0]?.toLowerCase() + name.slice(1)} text={text} />
    </Group>
  );
}
