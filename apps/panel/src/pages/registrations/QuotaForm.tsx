import { Button, Group, NumberInput, Select } from "@mantine/core";
import { useForm } from "@mantine/form";
import { SetRegistrationQuotaDocument } from "../../_generated/registrations.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useChange } from "../../forms/useChange.ts";
import { useSubmit } from "../../forms/useSubmit.ts";
import type { RegistrationDetail } from "./queries.ts";
import {
  asPercent,
  DEFAULTS,
  draftNameOf,
  findQuotaGaps,
  PER_NAMES,
  type QuotaValues,
  quotaInputOf,
  quotaValuesOf,
  WINDOW_NAMES,
} from "./quotaValues.ts";

interface QuotaFormProps {
  readonly registration: RegistrationDetail;
  readonly onClose: () => void;
}

export function QuotaForm({ registration, onClose }: QuotaFormProps) {
  const { id, defaultQuota, quotaOverride } = registration;
  const change = useChange(["registrations"]);
  const form = useForm<QuotaValues>({ initialValues: quotaValuesOf(quotaOverride), validate: findQuotaGaps });
  const submit = useSubmit(form, {
    name: draftNameOf(id),
    run: (values) =>
      change(SetRegistrationQuotaDocument, { id, quota: quotaInputOf(values) }, "The quota was changed."),
    onDone: onClose,
  });
  const placeholder = (value: string | number) => `Default: ${value}`;
  return (
    <SubmitForm
      submit={submit}
      label="Save quota"
      maw={560}
      needsConfirmation
      cancel={
        <Group>
          <Button variant="default" onClick={() => form.setValues(DEFAULTS)}>
            Use the defaults
          </Button>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      }
    >
      <NumberInput
        label="Calls"
        description="Calls in a window. Empty: the provider’s default, as for each field."
        placeholder={placeholder(defaultQuota.units.toLocaleString("en"))}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        clampBehavior="none"
        {...form.getInputProps("units")}
      />
      <Select
        label="Window"
        description="When the count of calls resets."
        placeholder={placeholder(WINDOW_NAMES[defaultQuota.window])}
        data={choicesOf(WINDOW_NAMES)}
        clearable
        {...form.getInputProps("window")}
      />
      <Select
        label="A budget for"
        description="Whether all reads share the calls, or each read of the API or each account has its own."
        placeholder={placeholder(PER_NAMES[defaultQuota.per])}
        data={choicesOf(PER_NAMES)}
        clearable
        {...form.getInputProps("per")}
      />
      <NumberInput
        label="Reserve in percent"
        description="The part that background reads leave to requested reads and to new accounts."
        placeholder={placeholder(asPercent(defaultQuota.reserve))}
        allowNegative={false}
        clampBehavior="none"
        {...form.getInputProps("reserve")}
      />
    </SubmitForm>
  );
}

function choicesOf(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
