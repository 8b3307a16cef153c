import { Box, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { PublishRegistrationDocument, UpdateRegistrationDocument } from "../../_generated/registrations.ts";
import { Failure } from "../../api/failure.ts";
import { requestChange } from "../../api/request.ts";
import { ConfirmationNote } from "../../confirmation/ConfirmationNote.tsx";
import { FormNotes } from "../../forms/FormNotes.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { withTouched } from "../../touched/touchedText.ts";
import { ActionButton } from "../../ui/ActionButton.tsx";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { notifyDone } from "../../ui/notify.ts";
import { Section } from "../../ui/Section.tsx";
import { type ProviderSetup, type RegistrationDetail, registrationDetail } from "./queries.ts";
import { RegistrationFields } from "./RegistrationFields.tsx";
import { findGaps, inputOf, type RegistrationValues, valuesOf } from "./registrationValues.ts";

interface EditRegistrationFormProps {
  readonly registration: RegistrationDetail;
  readonly setup: ProviderSetup;
}

const CONCURRENT_CHANGE =
  "Another admin changed this registration. Nothing was saved. Reload the page to see the change, then make yours again.";

/** Changes and publishes a registration that is not published. */
export function EditRegistrationForm({ registration, setup }: EditRegistrationFormProps) {
  const { id, provider } = registration;
  const queries = useQueryClient();
  const form = useForm<RegistrationValues>({
    initialValues: valuesOf(registration),
    validate: (values) => findGaps(values, setup, registration),
  });
  /** The version of the registration on which the form is based. */
  const seen = useRef(registration.updatedAt);
  const refetch = () => queries.invalidateQueries({ queryKey: ["registrations"] });

  const ensureUnchanged = async () => {
    const now = await queries.fetchQuery({ ...registrationDetail(id), staleTime: 0 });
    if (now.updatedAt === seen.current) return;
    throw new Failure({ code: "CONFLICT", message: CONCURRENT_CHANGE });
  };
  const save = async (values: RegistrationValues) => {
    await ensureUnchanged();
    const [{ updatedAt }, touched] = await withTouched(id, () =>
      requestChange(UpdateRegistrationDocument, { id, input: inputOf(values) }),
    );
    seen.current = updatedAt;
    const stored = { ...values, clientSecret: "" };
    form.setInitialValues(stored);
    form.setValues(stored);
    form.resetDirty(stored);
    notifyDone(`The registration was saved.${touched}`);
  };
  const saving = useSubmit(form, {
    name: `registration-${id}`,
    run: save,
    onDone: refetch,
    secrets: ["clientSecret"],
  });
  const publishing = useSubmit(form, {
    name: `publish-registration-${id}`,
    run: async (values) => {
      // Publishing applies to the stored registration.
      if (form.isDirty()) await save(values);
      else await ensureUnchanged();
      try {
        await requestChange(PublishRegistrationDocument, { id });
      } catch (error) {
        if (error instanceof Failure) {
          for (const { address, problem } of error.problems) form.setFieldError(address, problem);
        }
        throw error;
      }
    },
    onDone: () => {
      notifyDone(`The registration at ${PROVIDER_NAMES[provider]} was published.`);
      return refetch();
    },
    secrets: ["clientSecret"],
  });
  const isBusy = saving.isBusy || publishing.isBusy;
  return (
    <Box component="form" onSubmit={saving.onSubmit} noValidate my={18}>
      <RegistrationFields form={form} setup={setup} registration={registration} />
      <Section
        title="Publish"
        description="The service sends each URL a request that the provider rejects in a known way. If all respond as expected, the registration is published."
      >
        <Stack gap="md" mt={22}>
          <FormNotes submit={publishing.failure !== null || publishing.isRestored ? publishing : saving} />
          <ConfirmationNote />
          <Group>
            <ActionButton onClick={() => publishing.onSubmit()} isBusy={publishing.isBusy} disabled={saving.isBusy}>
              {form.isDirty() ? "Save and publish" : "Publish"}
            </ActionButton>
            <ActionButton type="submit" variant="default" isBusy={saving.isBusy} disabled={isBusy || !form.isDirty()}>
              Save
            </ActionButton>
            {!form.isDirty() && (
              <Text size="sm" c="dimmed">
                All changes saved.
              </Text>
            )}
          </Group>
        </Stack>
      </Section>
    </Box>
  );
}
