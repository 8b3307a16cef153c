import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { SocialProvider } from "@social-connect/contract";
import { TESTER_NOTE } from "@social-connect/domain";
import { AddClientTesterDocument } from "../../../_generated/clients.ts";
import { PLAIN_TEXT } from "../../../forms/plainText.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useChange } from "../../../forms/useChange.ts";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { clientTesters } from "../shared/queries.ts";
import { useClient } from "./useClient.ts";

export const NOTE_FIELD = {
  label: "Note",
  description: "For admins, such as whose account it is.",
  maxLength: TESTER_NOTE.maxLength,
} as const;

interface AddTesterFormProps {
  readonly provider: SocialProvider;
  /** The provider's name for an account's id, and its format. */
  readonly account: { readonly label: string; readonly description: string };
}

export function AddTesterForm({ provider, account }: AddTesterFormProps) {
  const { id } = useClient();
  const change = useChange(clientTesters(id).queryKey);
  const form = useForm({
    initialValues: { providerAccountId: "", note: "" },
    validate: { providerAccountId: (text) => (text.trim() === "" ? "Enter the account’s id." : null) },
  });
  const submit = useSubmit(form, {
    name: `client-${id}-tester-${provider}`,
    run: ({ providerAccountId, note }) =>
      change(
        AddClientTesterDocument,
        { id, provider, providerAccountId: providerAccountId.trim(), note: note.trim() || null },
        "The tester was added.",
      ),
    fieldOf: ({ code }) => (code === "CONFLICT" ? "providerAccountId" : null),
    onDone: form.reset,
  });
  return (
    <SubmitForm submit={submit} label="Add" isSecondary gap="sm">
      <TextInput {...account} {...PLAIN_TEXT} {...form.getInputProps("providerAccountId")} />
      <TextInput {...NOTE_FIELD} {...form.getInputProps("note")} />
    </SubmitForm>
  );
}
