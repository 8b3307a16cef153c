import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { SetClientPolicyDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { FormNotes } from "../../../forms/FormNotes.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { ConfirmDialog } from "../../../ui/ConfirmDialog.tsx";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/names.ts";
import { Section } from "../../../ui/Section.tsx";
import { CapabilityChoice, ProviderChoice } from "../PolicyChoices.tsx";
import type { Client } from "../queries.ts";
import { useClient, useClientChange } from "./useClient.ts";

type Policy = Pick<Client, "providers" | "capabilities">;

export function ClientPolicy() {
  const client = useClient();
  const change = useClientChange();
  const [asked, setAsked] = useState<Policy | null>(null);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { providers: [...client.providers], capabilities: [...client.capabilities] },
  });
  const save = async ({ providers, capabilities }: Policy) => {
    const done = request(SetClientPolicyDocument, { id: client.id, providers, capabilities });
    await change(
      done.then((answer) => answer.client),
      "The policy is saved.",
    );
  };
  const submit = useSubmit(form, {
    name: `client-${client.id}-policy`,
    run: async (policy) => (takenAway(client, policy).length === 0 ? save(policy) : setAsked(policy)),
  });
  return (
    <Section title="Providers and capabilities" description="What the application may do, from its next call on.">
      <form onSubmit={submit.onSubmit} noValidate>
        <Stack gap="lg" maw={640}>
          <FormNotes submit={submit} />
          <ProviderChoice key={form.key("providers")} {...form.getInputProps("providers")} />
          <CapabilityChoice key={form.key("capabilities")} {...form.getInputProps("capabilities")} />
          <Group>
            <Button type="submit" loading={submit.isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog
        isOpen={asked !== null}
        onClose={() => setAsked(null)}
        title={`Take something away from ${client.displayName}?`}
        consequences={asked === null ? [] : takenAway(client, asked)}
        nameToType={client.slug}
        confirmLabel="Take away and save"
        onConfirm={async () => {
          if (asked !== null) await save(asked);
        }}
      />
    </Section>
  );
}

/** What a new policy takes away, in sentences. */
function takenAway(client: Client, policy: Policy): string[] {
  const providers = client.providers.filter((provider) => !policy.providers.includes(provider));
  const capabilities = client.capabilities.filter((capability) => !policy.capabilities.includes(capability));
  return [
    ...providers.map(
      (provider) =>
        `${PROVIDER_NAMES[provider]}: accounts that are connected there cannot be read any more, and none can be added. They stay stored.`,
    ),
    ...capabilities.map(
      (capability) =>
        `${CAPABILITY_NAMES[capability]}: connections that were granted it cannot be read any more, until it is allowed again.`,
    ),
  ];
}
