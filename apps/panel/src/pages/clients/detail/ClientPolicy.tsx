import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { SetClientPolicyDocument } from "../../../_generated/clients.ts";
import { Failure } from "../../../api/failure.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { PlannedTouch } from "../../../touched/PlannedTouch.tsx";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { Section } from "../../../ui/Section.tsx";
import { PolicyChoices } from "../shared/PolicyChoices.tsx";
import type { Client } from "../shared/queries.ts";
import { useClient, useClientChange, useReadClient } from "./useClient.ts";

const CONCURRENT_CHANGE =
  "Another admin changed these permissions. Nothing was saved. The form now shows the current ones: make your change again.";

type Policy = Pick<Client, "providers" | "capabilities">;

export function ClientPolicy() {
  const client = useClient();
  const change = useClientChange();
  const readNow = useReadClient(client.id);
  const [toConfirm, setToConfirm] = useState<Policy | null>(null);
  /** The policy on which the form is based. */
  const shown = useRef<Policy>(client);
  const form = useForm({
    initialValues: { providers: [...client.providers], capabilities: [...client.capabilities] },
  });
  const show = (policy: Policy) => {
    shown.current = policy;
    form.setValues({ providers: [...policy.providers], capabilities: [...policy.capabilities] });
  };
  const save = async ({ providers, capabilities }: Policy) => {
    const now = await readNow();
    // Saving would undo another admin's change.
    if (!isSame(now, shown.current)) {
      show(now);
      throw new Failure({ code: "CONFLICT", message: CONCURRENT_CHANGE });
    }
    shown.current = await change(
      SetClientPolicyDocument,
      { providers, capabilities },
      "The permissions were saved.",
      true,
    );
  };
  const submit = useSubmit(form, {
    name: `client-${client.id}-policy`,
    run: async (policy) => (describeRemovals(shown.current, policy).length === 0 ? save(policy) : setToConfirm(policy)),
  });
  return (
    <Section
      title="Providers and capabilities"
      description="What the application can request. Changes apply from its next call."
    >
      <SubmitForm submit={submit} label="Save">
        <PolicyChoices inputOf={form.getInputProps} />
      </SubmitForm>
      <ConfirmDialog
        isOpen={toConfirm !== null}
        onClose={() => setToConfirm(null)}
        title={`Remove permissions from ${client.displayName}?`}
        consequences={
          toConfirm === null
            ? []
            : [
                ...describeRemovals(shown.current, toConfirm),
                <PlannedTouch key="touch" action="CHANGE_POLICY" id={client.id} {...toConfirm} />,
              ]
        }
        nameToType={client.slug}
        confirmLabel="Remove and save"
        onConfirm={async () => {
          if (toConfirm !== null) await save(toConfirm);
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

function describeRemovals(before: Policy, policy: Policy): string[] {
  const providers = before.providers.filter((provider) => !policy.providers.includes(provider));
  const capabilities = before.capabilities.filter((capability) => !policy.capabilities.includes(capability));
  return [
    ...providers.map(
      (provider) =>
        `${PROVIDER_NAMES[provider]}: connected accounts can no longer be read, and no new ones can be connected. Stored data is retained.`,
    ),
    ...capabilities.map(
      (capability) =>
        `${CAPABILITY_NAMES[capability]}: connections that were granted it can no longer be read until it is allowed again.`,
    ),
  ];
}
