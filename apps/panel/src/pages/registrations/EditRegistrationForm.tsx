import { Button, Group, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { PublishRegistrationDocument, UpdateRegistrationDocument } from "../../_generated/registrations.ts";
import { Failure } from "../../api/failure.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { ConfirmationNote } from "../../confirmation/ConfirmationNote.tsx";
import { FormNotes } from "../../forms/FormNotes.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { notifyDone } from "../../ui/notify.ts";
import { Section } from "../../ui/Section.tsx";
import classes from "./FormEnd.module.css";
import type { ProviderSetup, RegistrationDetail } from "./queries.ts";
import { registrationDetail } from "./queries.ts";
import { RegistrationFields } from "./RegistrationFields.tsx";
import type { RegistrationValues } from "./registrationValues.ts";
import { findGaps, inputOf, valuesOf } from "./registrationValues.ts";

interface EditRegistrationFormProps {
  readonly registration: RegistrationDetail;
  readonly setup: ProviderSetup;
}

const CHANGED_MEANWHILE =
  "Somebody else changed this registration meanwhile, and nothing was done. What you wrote is still here: load the page again to see theirs, and make your change to that.";

/** What does not serve yet, or no more: it can be changed and saved, and published as it was saved. */
export function EditRegistrationForm({ registration, setup }: EditRegistrationFormProps) {
  const { id, provider } = registration;
  const queries = useQueryClient();
  const form = useForm<RegistrationValues>({
    initialValues: valuesOf(registration),
    validate: (values) => findGaps(values, setup, registration),
  });
  /** As of when this form shows the registration. */
  const seen = useRef(registration.updatedAt);
  const readAnew = () => queries.invalidateQueries({ queryKey: ["registrations"] });

  const ensureUnchanged = async () => {
    const now = await queries.fetchQuery({ ...registrationDetail(id), staleTime: 0 });
    if (now.updatedAt === seen.current) return;
    throw new Failure({ code: "CONFLICT", message: CHANGED_MEANWHILE });
  };
  const save = async (values: RegistrationValues) => {
    await ensureUnchanged();
    seen.current = unwrap((await request(UpdateRegistrationDocument, { id, input: inputOf(values) })).result).updatedAt;
    const stored = { ...values, clientSecret: "" };
    form.setInitialValues(stored);
    form.setValues(stored);
    form.resetDirty(stored);
  };
  const saving = useSubmit(form, {
    name: `registration-${id}`,
    run: save,
    onDone: () => {
      notifyDone("The registration is saved.");
      return readAnew();
    },
    secrets: ["clientSecret"],
  });
  const publishing = useSubmit(form, {
    name: `publish-registration-${id}`,
    run: async (values) => {
      // What is published is what the service has.
      if (form.isDirty()) await save(values);
      else await ensureUnchanged();
      try {
        unwrap((await request(PublishRegistrationDocument, { id })).result);
      } catch (error) {
        if (error instanceof Failure) {
          for (const { address, problem } of error.problems) form.setFieldError(address, problem);
        }
        throw error;
      }
    },
    onDone: () => {
      notifyDone(`The registration at ${PROVIDER_NAMES[provider]} is published.`);
      return readAnew();
    },
    secrets: ["clientSecret"],
  });
  const isBusy = saving.isBusy || publishing.isBusy;
  return (
    <form onSubmit={saving.onSubmit} noValidate className={classes.form}>
      <RegistrationFields form={form} setup={setup} registration={registration} />
      <Section
        title="Publish"
        description="Each address is asked something that only the provider refuses in its own words. When all of them do, the registration serves from then on."
      >
        <div className={classes.end}>
          <FormNotes submit={publishing.failure !== null || publishing.isRestored ? publishing : saving} />
          <ConfirmationNote />
          <Group>
            <Button onClick={() => publishing.onSubmit()} loading={publishing.isBusy} disabled={saving.isBusy}>
              {form.isDirty() ? "Save and publish" : "Publish"}
            </Button>
            <Button type="submit" variant="default" loading={saving.isBusy} disabled={isBusy || !form.isDirty()}>
              Save
            </Button>
            {!form.isDirty() && (
              <Text size="sm" c="dimmed">
                Everything is saved.
              </Text>
            )}
          </Group>
        </div>
      </Section>
    </form>
  );
}
