import { CopyText } from "../../ui/CopyText.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { Section } from "../../ui/Section.tsx";
import type { ProviderSetup } from "./queries.ts";

/** What has to be written down at the provider itself. */
export function ProviderInstructions({ setup }: { readonly setup: ProviderSetup }) {
  const { provider, redirectUri, deauthorizationUrl, publicApiName } = setup;
  return (
    <Section
      title="At the provider"
      description={`${PROVIDER_NAMES[provider]} is spoken to as ${publicApiName}. Register a client there, and give it these exactly as they stand.`}
    >
      <DescriptionList
        facts={[
          ["Redirect address", <CopyText key="redirect" label="redirect address" text={redirectUri} />],
          ...(deauthorizationUrl === null
            ? []
            : ([
                [
                  "Deauthorize callback",
                  <CopyText key="deauthorize" label="deauthorize callback" text={deauthorizationUrl} />,
                ],
              ] as const)),
        ]}
      />
    </Section>
  );
}
