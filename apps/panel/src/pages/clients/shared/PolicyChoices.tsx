import { Checkbox, Stack } from "@mantine/core";
import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { surroundings } from "./queries.ts";

interface ChoiceProps<Value extends string> {
  readonly value?: Value[];
  readonly defaultValue?: Value[];
  readonly onChange?: (value: Value[]) => void;
  readonly error?: ReactNode;
  readonly "data-path"?: string;
}

const CAPABILITY_MEANINGS: Readonly<Record<Capability, string>> = {
  PROFILE: "Name, picture and address of the account.",
  CONTENT_LIST: "The account’s own posts, within a span of time.",
  CONTENT_LOOKUP: "One post, by the address that a person gives.",
  CONTENT_METRICS: "Views, likes, comments and shares of a post.",
};

export function ProviderChoice(props: ChoiceProps<SocialProvider>) {
  const { data } = useQuery(surroundings);
  const apiName = (provider: SocialProvider) =>
    data?.deployment.providers.find((one) => one.provider === provider)?.publicApiName;
  const isClosed = (provider: SocialProvider) =>
    data?.availability.some((one) => one.provider === provider && !one.available) === true;
  return (
    <Checkbox.Group label="Providers" description="Whose accounts may be connected." {...props}>
      <Stack gap="sm" mt="xs">
        {SOCIAL_PROVIDERS.map((provider) => (
          <Checkbox
            key={provider}
            value={provider}
            label={PROVIDER_NAMES[provider]}
            description={`${apiName(provider) ?? ""}${isClosed(provider) ? " · no registration is published yet" : ""}`}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

export function CapabilityChoice(props: ChoiceProps<Capability>) {
  return (
    <Checkbox.Group label="Capabilities" description="What may be asked of a person." {...props}>
      <Stack gap="sm" mt="xs">
        {CAPABILITIES.map((capability) => (
          <Checkbox
            key={capability}
            value={capability}
            label={CAPABILITY_NAMES[capability]}
            description={CAPABILITY_MEANINGS[capability]}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
