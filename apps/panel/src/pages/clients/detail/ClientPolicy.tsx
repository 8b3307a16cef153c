import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { SetClientPolicyDocument } from "../../../_generated/clients.ts";
import { Failure } from "../../../api/failure.ts";
import { request } from "../../../api/request.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { FormNotes } from "../../../forms/FormNotes.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { Section } from "../../../ui/Section.tsx";
import { CapabilityChoice, ProviderChoice } from "../shared/PolicyChoices.tsx";
import type { Client } from "../shared/queries.ts";
import { useClient, useClientChange, useReadClient } from "./useClient.ts";

const CHANGED_MEANWHILE =
  "Somebody else changed this meanwhile, and nothing was saved. What is allowed now is shown here: make your change to it.";

type Policy = Pick<Client, "providers" | "capabilities">;

export function ClientPolicy() {
  const client = useClient();
  const change = useClientChange();
  const readNow = useReadClient(client.id);
  const [asked, setAsked] = useState<Policy | null>(null);
  /** What the boxes showed before the person changed them. */
  const shown = useRef<Policy>(client);
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { providers: [...client.providers], capabilities: [...client.capabilities] },
  });
  const show = (policy: Policy) => {
    shown.current = policy;
    form.setValues({ providers: [...policy.providers], capabilities: [...policy.capabilities] });
  };
  const save = async ({ providers, capabilities }: Policy) => {
    const now = await readNow();
    // Saved as it stands here, it would undo what another admin did.
    if (!isSame(now, shown.current)) {
      show(now);
      throw new Failure({ code: "CONFLICT", message: CHANGED_MEANWHILE });
    }
    const done = request(SetClientPolicyDocument, { id: client.id, providers, capabilities });
    shown.current = await change(
      done.then((answer) => answer.client),
      "The policy is saved.",
    );
  };
  const submit = useSubmit(form, {
    name: `client-${client.id}-policy`,
    run: async (policy) => (takenAway(shown.current, policy).length === 0 ? save(policy) : setAsked(policy)),
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
        consequences={asked === null ? [] : takenAway(shown.current, asked)}
        nameToType={client.slug}
        confirmLabel="Take away and save"
        onConfirm={async () => {
          if (asked !== null) await save(asked);
        }}
      />
    </Section>
  );
}

function isSame(left: Policy, right: Policy): boolean {
  const isSameList = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((value) => other.includes(value));
  return isSameList(left.providers, right.providers) && isSameList(left.capabilities, right.capabilities);
}

/** What a new policy takes away, in sentences. */
function takenAway(before: Policy, policy: Policy): string[] {
  const providers = before.providers.filter((provider) => !policy.providers.includes(provider));
  const capabilities = before.capabilities.filter((capability) => !policy.capabilities.includes(capability));
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
