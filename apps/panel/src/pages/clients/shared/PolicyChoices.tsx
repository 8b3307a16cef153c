import { Checkbox, Stack } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { CAPABILITIES, type Capability, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { useQuery } from "@tanstack/react-query";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { clientDeployment } from "./queries.ts";

const CAPABILITY_DESCRIPTIONS: Readonly<Record<Capability, string>> = {
  PROFILE: "Name, picture and URL of the account.",
  CONTENT_LIST: "The account’s posts within a time range.",
  CONTENT_LOOKUP: "A post by its URL.",
  CONTENT_METRICS: "Views, likes, comments and shares of a post.",
};

interface PolicyChoicesProps {
  /** The input properties of a field. */
  readonly inputOf: (field: "providers" | "capabilities") => GetInputPropsReturnType;
}

/** The providers and capabilities of a client. */
export function PolicyChoices({ inputOf }: PolicyChoicesProps) {
  const { data } = useQuery(clientDeployment);
  const isUnavailable = (provider: string) =>
    data?.availability.some((one) => one.provider === provider && !one.available) === true;
  return (
    <>
      <Checkbox.Group label="Providers" description="Whose accounts can be connected." {...inputOf("providers")}>
        <Stack gap="sm" mt="xs">
          {SOCIAL_PROVIDERS.map((provider) => (
            <Checkbox
              key={provider}
              value={provider}
              label={PROVIDER_NAMES[provider]}
              description={isUnavailable(provider) ? "No registration is published." : null}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox.Group
        label="Capabilities"
        description="What the application can request from users."
        {...inputOf("capabilities")}
      >
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
    </>
  );
}
