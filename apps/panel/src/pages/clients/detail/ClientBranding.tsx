import { Button, FileInput, Group, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { BRANDING_FIELDS, type Branding, LOGO_LIMITS, logoDataUrl } from "@social-connect/domain";
import { SetClientBrandingDocument } from "../../../_generated/clients.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useSubmit } from "../../../forms/useSubmit.ts";
import { Section } from "../../../ui/Section.tsx";
import { brandingFieldProblem } from "../shared/rules.ts";
import { BrandingPreview } from "./BrandingPreview.tsx";
import { useClient, useClientChange } from "./useClient.ts";

/** The values of the form; an empty string removes the value. */
type Values = Record<keyof Branding, string>;

export function ClientBranding() {
  const client = useClient();
  const { id } = client;
  const change = useClientChange();
  const form = useForm<Values>({
    initialValues: mapFields((field) => client[field] ?? ""),
    validate: (values) => mapFields((field) => brandingFieldProblem(field, values[field])),
  });
  const submit = useSubmit(form, {
    name: `client-${id}-branding`,
    run: (values) => change(SetClientBrandingDocument, brandingOf(values), "The branding was saved."),
  });
  const readLogo = async (file: File | null) => {
    if (file === null) return;
    // A larger file is not read: the service would refuse it.
    const bytes = file.size <= LOGO_LIMITS.bytes ? new Uint8Array(await file.arrayBuffer()) : null;
    const logo = bytes && logoDataUrl(bytes);
    if (bytes === null) form.setFieldError("logo", `The logo must have at most ${LOGO_LIMITS.bytes} bytes.`);
    else if (logo === null) form.setFieldError("logo", "Choose a PNG, JPEG or WebP image.");
    else form.setFieldValue("logo", logo);
  };
  return (
    <>
      <Section
        title="Logo, color and links"
        description="Shown to users on the service’s pages: errors, and the consent pane. The name is on the overview."
      >
        <SubmitForm submit={submit} label="Save" gap="md" maw={480}>
          <FileInput
            label="Logo"
            description={`PNG, JPEG or WebP, at most ${LOGO_LIMITS.bytes / 1_024} KiB and ${LOGO_LIMITS.pixels} pixels wide and high.`}
            placeholder={form.values.logo === "" ? "Choose an image" : "Choose another image"}
            accept="image/png,image/jpeg,image/webp"
            value={null}
            onChange={(file) => void readLogo(file)}
            error={form.errors.logo}
          />
          {form.values.logo !== "" && (
            <Group>
              <Button variant="default" size="xs" onClick={() => form.setFieldValue("logo", "")}>
                Remove logo
              </Button>
            </Group>
          )}
          <TextInput
            label="Color"
            description="The color of buttons, e.g. #0a5c36. It is changed where a light or dark page needs more contrast."
            maxLength={7}
            {...form.getInputProps("brandColor")}
          />
          <TextInput
            label="Support address"
            description="e.g. mailto:help@example.com or https://example.com/help"
            {...form.getInputProps("supportAddress")}
          />
          <TextInput
            label="Privacy notice"
            description="e.g. https://example.com/privacy"
            {...form.getInputProps("privacyUrl")}
          />
        </SubmitForm>
      </Section>
      <Section
        title="Preview"
        description="The service’s own page with these values, before you save them. Its buttons do nothing."
      >
        <BrandingPreview client={client} branding={acceptedOf(form.values)} />
      </Section>
    </>
  );
}

function mapFields<Value>(of: (field: keyof Branding) => Value): Record<keyof Branding, Value> {
  return Object.fromEntries(BRANDING_FIELDS.map((field) => [field, of(field)])) as Record<keyof Branding, Value>;
}

function brandingOf(values: Values): Branding {
  return mapFields((field) => values[field] || null);
}

/** Without the values that the service would refuse. */
function acceptedOf(values: Values): Branding {
  return mapFields((field) => (brandingFieldProblem(field, values[field]) === null ? values[field] || null : null));
}
