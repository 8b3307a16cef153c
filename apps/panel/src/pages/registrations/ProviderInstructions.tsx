import { CopyText } from "../../ui/CopyText.tsx";
import { DescriptionList } from "../../ui/DescriptionList.tsx";
import { Section } from "../../ui/Section.tsx";
import type { ProviderSetup } from "./queries.ts";

/** The values to register at the provider. */
export function ProviderInstructions({ setup }: { readonly setup: ProviderSetup }) {
  const { redirectUri, deauthorizationUrl, publicApiName } = setup;
  return (
    <Section title="At the provider" description={`Register a client for ${publicApiName} with exactly these values.`}>
      <DescriptionList
        facts={[
          ["Redirect URL", <CopyText key="redirect" label="redirect URL" text={redirectUri} />],
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
