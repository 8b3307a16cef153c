import { CopyText } from "../../ui/CopyText.tsx";
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
          url === null
            ? []
            : [[name, <CopyText key={name} label={name[0]?.toLowerCase() + name.slice(1)} text={url} />] as const],
        )}
      />
    </Section>
  );
}
