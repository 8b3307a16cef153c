import { Checkbox, Stack } from "@mantine/core";
import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { clientDeployment } from "./queries.ts";

interface ChoiceProps<Value extends string> {
  readonly value?: Value[];
  readonly defaultValue?: Value[];
  readonly onChange?: (value: Value[]) => void;
  readonly error?: ReactNode;
  readonly "data-path"?: string;
}

const CAPABILITY_DESCRIPTIONS: Readonly<Record<Capability, string>> = {
  PROFILE: "Name, picture and URL of the account.",
  CONTENT_LIST: "The account’s posts within a time range.",
  CONTENT_LOOKUP: "A post by its URL.",
  CONTENT_METRICS: "Views, likes, comments and shares of a post.",
};

export function ProviderChoice(props: ChoiceProps<SocialProvider>) {
  const { data } = useQuery(clientDeployment);
  const isUnavailable = (provider: SocialProvider) =>
    data?.availability.some((one) => one.provider === provider && !one.available) === true;
  return (
    <Checkbox.Group label="Providers" description="Whose accounts can be connected." {...props}>
      <Stack gap="sm" mt="xs">
        {SOCIAL_PROVIDERS.map((provider) => (
          <Checkbox
            key={provider}
            value={provider}
            label={PROVIDER_NAMES[provider]}
            description={isUnavailable(provider) ? "No registration is published yet." : null}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

export function CapabilityChoice(props: ChoiceProps<Capability>) {
  return (
    <Checkbox.Group label="Capabilities" description="What the application can request from users." {...props}>
      <Stack gap="sm" mt="xs">
        {CAPABILITIES.map((capability) => (
          <Checkbox
            key={capability}
            value={capability}
            label={CAPABILITY_NAMES[capability]}
            description={CAPABILITY_DESCRIPTIONS[capability]}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
