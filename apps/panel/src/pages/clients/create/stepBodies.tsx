import { Checkbox, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ComponentType } from "react";
import { useRef } from "react";
import { DescriptionList } from "../../../ui/DescriptionList.tsx";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { CapabilityChoice, ProviderChoice } from "../shared/PolicyChoices.tsx";
import { linesOf, slugOf } from "../shared/rules.ts";
import type { StepName } from "./steps.ts";
import type { CreateClientValues } from "./values.ts";

interface StepBodyProps {
  readonly form: UseFormReturnType<CreateClientValues>;
}

const PLAIN = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;
const LINES = { ...PLAIN, autosize: true, minRows: 3, maxRows: 14, resize: "vertical" } as const;

function NameStep({ form }: StepBodyProps) {
  // Until somebody writes a slug of their own, it follows the name.
  const isOwnSlug = useRef(form.getValues().slug !== slugOf(form.getValues().displayName));
  const name = form.getInputProps("displayName");
  const slug = form.getInputProps("slug");
  return (
    <>
      <TextInput
        label="Name"
        description="How admins know the application."
        required
        maxLength={80}
        autoComplete="off"
        key={form.key("displayName")}
        {...name}
        onChange={(event) => {
          name.onChange(event);
          if (!isOwnSlug.current) form.setFieldValue("slug", slugOf(event.currentTarget.value));
        }}
      />
      <TextInput
        label="Slug"
        description="A short name for addresses and scripts. It never changes."
        required
        maxLength={63}
        {...PLAIN}
        key={form.key("slug")}
        {...slug}
        onChange={(event) => {
          isOwnSlug.current = event.currentTarget.value !== "";
          slug.onChange(event);
        }}
      />
    </>
  );
}

function OriginsStep({ form }: StepBodyProps) {
  return (
    <>
      <Text>
        The origins of the application’s pages. Only a page on one of them may send a person off to connect an account,
        so that nobody else can do so in the application’s name.
      </Text>
      <Textarea
        label="Origins"
        description="One a line, with scheme and host, e.g. https://app.example.com"
        required
        {...LINES}
        key={form.key("webOrigins")}
        {...form.getInputProps("webOrigins")}
      />
    </>
  );
}

function ReturnUrlsStep({ form }: StepBodyProps) {
  return (
    <>
      <Text>
        Where a person comes back to after connecting an account. The address has to be exactly the one that the
        application will name; the result is added to its query.
      </Text>
      <Textarea
        label="Return URLs"
        description={`One a line, each on ${linesOf(form.getValues().webOrigins).join(" or ") || "one of the origins"}`}
        required
        {...LINES}
        key={form.key("returnUrls")}
        {...form.getInputProps("returnUrls")}
      />
      <OnwardRedirect form={form} />
    </>
  );
}

function OnwardRedirect({ form }: StepBodyProps) {
  return (
    <Checkbox
      label="None of these routes redirects on to an address that it takes from the request"
      description="Such a route would carry the result to whoever made the link. Appearance at the code before you tick this."
      required
      key={form.key("confirmedNoOnwardRedirect")}
      {...form.getInputProps("confirmedNoOnwardRedirect", { type: "checkbox" })}
    />
  );
}

function TenantsStep({ form }: StepBodyProps) {
  return (
    <>
      <Text>
        A tenant is a workspace of the application: whatever one of them has connected is out of sight for the others.
        An application with a single one needs one key, for example <code>main</code>.
      </Text>
      <Textarea
        label="Tenant keys"
        description="One a line. They may also be added later, by a script too."
        {...LINES}
        key={form.key("tenantKeys")}
        {...form.getInputProps("tenantKeys")}
      />
    </>
  );
}

function PolicyStep({ form }: StepBodyProps) {
  return (
    <>
      <Text>What the application may connect, and what it may ask people for. Less is easier to say yes to.</Text>
      <ProviderChoice key={form.key("providers")} {...form.getInputProps("providers")} />
      <CapabilityChoice key={form.key("capabilities")} {...form.getInputProps("capabilities")} />
    </>
  );
}

function ReviewStep({ form }: StepBodyProps) {
  const values = form.getValues();
  return (
    <>
      <DescriptionList
        facts={[
          ["Name", values.displayName],
          ["Slug", values.slug],
          ["Origins", <Lines key="origins" text={values.webOrigins} />],
          ["Return URLs", <Lines key="urls" text={values.returnUrls} />],
          ["Tenant keys", <Lines key="tenants" text={values.tenantKeys} />],
          ["Providers", values.providers.map((provider) => PROVIDER_NAMES[provider]).join(", ") || "none"],
          [
            "May ask for",
            values.capabilities.map((capability) => CAPABILITY_NAMES[capability]).join(", ") || "nothing",
          ],
        ]}
      />
      <Text c="dimmed" size="sm">
        The client is enabled at once. It can call the service when it has a key, which is the next thing to do.
      </Text>
    </>
  );
}

function Lines({ text }: { readonly text: string }) {
  const lines = linesOf(text);
  return lines.length === 0 ? "none" : lines.map((line) => <div key={line}>{line}</div>);
}

export const STEP_BODIES: Readonly<Record<StepName, ComponentType<StepBodyProps>>> = {
  name: NameStep,
  origins: OriginsStep,
  "return-urls": ReturnUrlsStep,
  tenants: TenantsStep,
  policy: PolicyStep,
  review: ReviewStep,
};
