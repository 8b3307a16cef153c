import { Checkbox, Stack, TextInput } from "@mantine/core";
import type { GetInputPropsReturnType } from "@mantine/form";
import { EVENT_TYPES } from "@social-connect/contract";
import { SELECTABLE_EVENT_TYPES } from "@social-connect/domain";
import { PLAIN_TEXT } from "../../forms/plainText.ts";

export interface EndpointValues extends Record<string, unknown> {
  readonly url: string;
  /** Empty: all types. */
  readonly types: readonly string[];
}

interface EndpointFieldsProps {
  /** The input properties of a field. */
  readonly inputOf: (field: keyof EndpointValues & ("url" | "types")) => GetInputPropsReturnType;
}

/** Where an endpoint is, and which types it receives. */
export function EndpointFields({ inputOf }: EndpointFieldsProps) {
  return (
    <>
      <TextInput
        label="URL"
        description="With https, e.g. https://app.example.com/social/events. No redirects, no private addresses."
        {...PLAIN_TEXT}
        {...inputOf("url")}
      />
      <Checkbox.Group
        label="Types"
        description="Choose none to receive all types, also those that are added later."
        {...inputOf("types")}
      >
        <Stack gap="sm" mt="xs">
          {SELECTABLE_EVENT_TYPES.map((type) => (
            <Checkbox key={type} value={type} label={type} description={EVENT_TYPES[type].description} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}
