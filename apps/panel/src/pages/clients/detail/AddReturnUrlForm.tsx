import { Checkbox, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { AddClientReturnUrlDocument } from "../../../_generated/clients.ts";
import { PLAIN_TEXT } from "../../../forms/plainText.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { useAddressRules } from "../shared/queries.ts";
import { returnUrlProblem } from "../shared/rules.ts";
import { useClient, useClientChange } from "./useClient.ts";

export function AddReturnUrlForm() {
  const { id, webOrigins } = useClient();
  const change = useClientChange();
  const rules = useAddressRules();
  const form = useForm({
    initialValues: { url: "", confirmedNoOnwardRedirect: false },
    validate: {
      url: (url) => returnUrlProblem(url.trim(), webOrigins, rules),
      confirmedNoOnwardRedirect: (isConfirmed) => (isConfirmed ? null : "Check the code of this route, then confirm."),
    },
  });
  const submit = useSubmit(form, {
    name: `client-${id}-return-url`,
    run: ({ url, ...confirmation }) =>
      change(AddClientReturnUrlDocument, { url: url.trim(), ...confirmation }, "The return URL was added."),
    fieldOf: ({ code }) => (code === "BAD_USER_INPUT" || code === "CONFLICT" ? "url" : null),
    onDone: form.reset,
  });
  return (
    <SubmitForm submit={submit} label="Add" isSecondary gap="md">
      <TextInput
        label="New return URL"
        description="On one of the origins, e.g. https://app.example.com/social/return"
        {...PLAIN_TEXT}
        {...form.getInputProps("url")}
      />
      <Checkbox
        label="This route is not an open redirect"
        description="An open redirect would send the result to a URL taken from the request."
        {...form.getInputProps("confirmedNoOnwardRedirect", { type: "checkbox" })}
      />
    </SubmitForm>
  );
}
