import { Checkbox, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { type ComponentType, useRef } from "react";
import { PLAIN_TEXT } from "../../../forms/plainText.ts";
import { DescriptionList } from "../../../ui/DescriptionList.tsx";
import { CAPABILITY_NAMES, namesOf, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { PolicyChoices } from "../shared/PolicyChoices.tsx";
import { linesOf, slugOf } from "../shared/rules.ts";
import type { StepName } from "./steps.ts";
import type { CreateClientValues } from "./values.ts";

interface StepBodyProps {
  readonly form: UseFormReturnType<CreateClientValues>;
}

interface LinesFieldProps extends StepBodyProps {
  readonly name: "webOrigins" | "returnUrls" | "tenantKeys";
  readonly label: string;
  readonly description: string;
  readonly required?: boolean;
}

/** A field with one value per line. */
function LinesField({ form, name, ...props }: LinesFieldProps) {
  return (
    <Textarea
      {...PLAIN_TEXT}
      {...props}
      autosize
      minRows={3}
      maxRows={14}
      resize="vertical"
      {...form.getInputProps(name)}
    />
  );
}

function NameStep({ form }: StepBodyProps) {
  // The slug follows the name until the admin edits it.
  const isOwnSlug = useRef(form.getValues().slug !== slugOf(form.getValues().displayName));
  const name = form.getInputProps("displayName");
  const slug = form.getInputProps("slug");
  return (
    <>
      <TextInput
        label="Name"
        description="Shown to admins, and to users on the service’s pages."
        required
        maxLength={80}
        {...name}
        onChange={(event) => {
          name.onChange(event);
          if (!isOwnSlug.current) form.setFieldValue("slug", slugOf(event.currentTarget.value));
        }}
      />
      <TextInput
        label="Slug"
        description="Identifies the client in URLs and scripts. It cannot be changed."
        required
        maxLength={63}
        {...PLAIN_TEXT}
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
        The origins of the application’s pages. Only pages on these origins can start an attempt to connect an account,
        so that other sites cannot impersonate the application.
      </Text>
      <LinesField
        form={form}
        name="webOrigins"
        label="Origins"
        description="One per line, with scheme and host, e.g. https://app.example.com"
        required
      />
    </>
  );
}

function ReturnUrlsStep({ form }: StepBodyProps) {
  return (
    <>
      <Text>
        The URLs to which users return after connecting an account. The application must send exactly the same URL; the
        result is added to the query string.
      </Text>
      <LinesField
        form={form}
        name="returnUrls"
        label="Return URLs"
        description={`One per line, each on ${linesOf(form.getValues().webOrigins).join(" or ") || "one of the origins"}`}
        required
      />
      <Checkbox
        label="None of these routes is an open redirect"
        description="An open redirect would send the result to a URL taken from the request. Check the code before you confirm."
        required
        {...form.getInputProps("confirmedNoOnwardRedirect", { type: "checkbox" })}
      />
    </>
  );
}

function TenantsStep({ form }: StepBodyProps) {
  return (
    <>
      <Text>
        A tenant is a workspace of the application. Tenants cannot see each other’s connections. An application without
        workspaces needs one key, for example <code>main</code>.
      </Text>
      <LinesField
        form={form}
        name="tenantKeys"
        label="Tenant keys"
        description="One per line. More can be added later, also by a script."
      />
    </>
  );
}

function PolicyStep({ form }: StepBodyProps) {
  return (
    <>
      <Text>What the application can request. Users are more likely to consent to fewer permissions.</Text>
      <PolicyChoices inputOf={form.getInputProps} />
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
          ["Providers", namesOf(PROVIDER_NAMES, values.providers) || "none"],
          ["Capabilities", namesOf(CAPABILITY_NAMES, values.capabilities) || "nothing"],
        ]}
      />
      <Text c="dimmed" size="sm">
        The client is enabled immediately. It needs a key to call the service; issue one next.
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
