import { Button } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef } from "react";
import { CreateClientDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { SubmitForm } from "../../../forms/SubmitForm.tsx";
import { useSavedDraft } from "../../../forms/useSavedDraft.ts";
import { focusField, useSubmit } from "../../../forms/useSubmit.ts";
import { CancelLink } from "../../../ui/links.tsx";
import { notifyDone } from "../../../ui/notify.ts";
import { PageHeader } from "../../../ui/PageHeader.tsx";
import { Section } from "../../../ui/Section.tsx";
import { cacheClient, useAddressRules } from "../shared/queries.ts";
import { Progress } from "./Progress.tsx";
import { STEP_BODIES } from "./stepBodies.tsx";
import { STEPS, type Step, type StepName, stepOfField } from "./steps.ts";
import { type CreateClientValues, INITIAL_VALUES, inputOf, validateWith } from "./values.ts";

const route = getRouteApi("/clients/new");
const DRAFT = "create-client";

/** Creates a client in six steps. The step is in the URL, so that Back returns to the previous one. */
export function CreateClientPage() {
  const { step: name = STEPS[0].name } = route.useSearch();
  const validate = validateWith(useAddressRules());
  const form = useForm<CreateClientValues>({ initialValues: INITIAL_VALUES, validate });
  const { step, goTo, failAt } = useSteps(form, name, validate);
  const discardDraft = useSavedDraft(form, DRAFT);
  const submit = useCreation(form, failAt, discardDraft);
  const index = STEPS.indexOf(step);
  const next = STEPS[index + 1];
  const previous = STEPS[index - 1];
  const submitStep = (event: FormEvent<HTMLFormElement>) => {
    if (next === undefined) return submit.onSubmit(event);
    event.preventDefault();
    const failed = step.fields.find((field) => form.validateField(field).hasError);
    if (failed === undefined) goTo(next.name);
    else focusField(form, failed);
  };
  const Body = STEP_BODIES[step.name];
  return (
    <>
      <PageHeader
        title="Create a client"
        part={step.title}
        breadcrumbs={[{ to: "/clients", label: "Clients" }]}
        description="Nothing is saved before the last step. Everything except the slug can be changed later."
      />
      <Progress current={step.name} />
      <Section title={step.title} description={`Step ${index + 1} of ${STEPS.length}`} id="step">
        <SubmitForm
          submit={submit}
          onSubmit={submitStep}
          label={next === undefined ? "Create client" : "Continue"}
          back={
            previous !== undefined && (
              <Button variant="default" onClick={() => goTo(previous.name)}>
                Back
              </Button>
            )
          }
          cancel={<CancelLink to="/clients" onClick={discardDraft} />}
        >
          <Body form={form} />
        </SubmitForm>
      </Section>
    </>
  );
}

/** Shows the requested step, or the first incomplete one if the requested step cannot be reached yet, e.g. after a reload. */
function useSteps(form: UseFormReturnType<CreateClientValues>, requested: StepName, rules: Rules) {
  const navigate = useNavigate();
  const failedField = useRef<string | null>(null);
  const isFirst = useRef(true);
  const firstIncomplete = STEPS.find(({ fields }) =>
    fields.some((field) => problemOf(rules, form.getValues(), field) !== null),
  );
  const reachable = STEPS.slice(0, firstIncomplete === undefined ? STEPS.length : STEPS.indexOf(firstIncomplete) + 1);
  const step: Step = reachable.find(({ name }) => name === requested) ?? reachable.at(-1) ?? STEPS[0];

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new step receives the focus
  useEffect(() => {
    const field = failedField.current ?? step.fields[0];
    failedField.current = null;
    if (isFirst.current) isFirst.current = false;
    else if (field !== undefined) focusField(form, field);
    else document.querySelector<HTMLElement>("#step h2")?.focus();
  }, [step.name]);

  const goTo = (name: StepName) => void navigate({ to: "/clients/new", search: { step: name } });
  return {
    step,
    goTo,
    failAt: (field: string) => {
      if (stepOfField(field) === step.name) return focusField(form, field);
      failedField.current = field;
      goTo(stepOfField(field));
    },
  };
}

type Rules = ReturnType<typeof validateWith>;

function problemOf(rules: Rules, values: CreateClientValues, field: string): string | null {
  const rule = rules[field as keyof Rules] as
    | ((value: unknown, values: CreateClientValues) => string | null)
    | undefined;
  return rule?.(values[field], values) ?? null;
}

function useCreation(
  form: UseFormReturnType<CreateClientValues>,
  failAt: (field: string) => void,
  discardDraft: () => void,
) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useSubmit(form, {
    name: DRAFT,
    run: async (values) => (await request(CreateClientDocument, { input: inputOf(values) })).client,
    fieldOf: ({ reason }) => (reason === "SLUG_TAKEN" ? "slug" : null),
    onFieldFailed: failAt,
    onDone: async (client) => {
      discardDraft();
      notifyDone(`${client.displayName} was created.`);
      await navigate({ to: "/clients/$clientId", params: { clientId: client.id }, replace: true });
      await cacheClient(queries, client);
    },
  });
}
