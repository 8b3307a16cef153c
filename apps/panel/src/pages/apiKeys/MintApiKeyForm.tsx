import { Code, NumberInput, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { type AdminKeyScope, LIMITS } from "@social-connect/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyFragment, MintApiKeyDocument, type MintApiKeyMutation } from "../../_generated/apiKeys.ts";
import { requestChange } from "../../api/request.ts";
import type { Success } from "../../api/result.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { SCOPE_NAMES, shortKeyId } from "../../ui/labels.ts";
import { CancelLink } from "../../ui/links.tsx";
import { apiKeyDeployment } from "./queries.ts";

interface MintApiKeyFormProps {
  /** The key whose label, scope and lifetime the new one has. */
  readonly replaced: KeyFragment | null;
  readonly onMinted: (minted: Success<MintApiKeyMutation["result"]>) => void;
}

const USUAL_LIFETIME_DAYS = 30;
const DAY_MS = 86_400_000;

export function MintApiKeyForm({ replaced, onMinted }: MintApiKeyFormProps) {
  const queries = useQueryClient();
  const isLive = useQuery(apiKeyDeployment).data?.mode === "LIVE";
  const mostDays = LIMITS.adminKeyLifetimeDays[isLive ? "live" : "sandbox"];
  const form = useForm({
    initialValues: {
      label: replaced?.label ?? "",
      scope: replaced?.scope ?? ("READ" as AdminKeyScope),
      lifetimeDays: (replaced === null ? USUAL_LIFETIME_DAYS : lifetimeDaysOf(replaced)) as number | "",
    },
    validate: {
      label: (label) => (label.trim() === "" ? "Enter a label." : null),
      lifetimeDays: (days) => (Number.isInteger(days) ? null : "Enter a whole number of days."),
    },
  });
  const submit = useSubmit(form, {
    name: replaced === null ? "mint-api-key" : `rotate-api-key-${replaced.id}`,
    run: ({ lifetimeDays, ...values }) =>
      requestChange(MintApiKeyDocument, { ...values, lifetimeDays: Number(lifetimeDays) }),
    onDone: (minted) => {
      onMinted(minted);
      return queries.invalidateQueries({ queryKey: ["apiKeys"] });
    },
  });
  return (
    <SubmitForm
      submit={submit}
      label="Mint key"
      maw={560}
      needsConfirmation
      cancel={
        replaced === null ? (
          <CancelLink to="/api-keys" />
        ) : (
          <CancelLink to="/api-keys/$keyId" params={{ keyId: replaced.id }} />
        )
      }
    >
      {replaced !== null && (
        <Text size="sm">
          The new key has the label “{replaced.label}” and the scope {SCOPE_NAMES[replaced.scope].toLowerCase()}, like
          the key <Code translate="no">{shortKeyId(replaced.id)}</Code> that it replaces. Both are valid until you
          revoke the old key.
        </Text>
      )}
      {replaced === null && (
        <>
          <TextInput
            label="Label"
            description="Identifies the key, e.g. “preview deployments”."
            required
            maxLength={80}
            {...form.getInputProps("label")}
          />
          <Radio.Group label="Scope" required {...form.getInputProps("scope")}>
            <Stack gap="xs" mt={6}>
              <Radio
                value="READ"
                label={SCOPE_NAMES.READ}
                description="View clients, registrations, admins and the audit log."
              />
              <Radio
                value="WRITE"
                label={SCOPE_NAMES.WRITE}
                description="Also create and change clients. Keys, admins and registrations can only be changed in the panel."
              />
            </Stack>
          </Radio.Group>
        </>
      )}
      <NumberInput
        label="Lifetime in days"
        description={`At most ${mostDays}. A key cannot be extended: mint a new one before it expires.`}
        required
        allowDecimal={false}
        allowNegative={false}
        min={1}
        max={mostDays}
        clampBehavior="none"
        maw={260}
        {...form.getInputProps("lifetimeDays")}
      />
    </SubmitForm>
  );
}

function lifetimeDaysOf({ createdAt, expiresAt }: KeyFragment): number {
  return Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / DAY_MS);
}
