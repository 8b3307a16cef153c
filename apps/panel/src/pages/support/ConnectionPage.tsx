import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { SupportDetailFragment } from "../../_generated/support.ts";
import { ViewConnectionDocument } from "../../_generated/support.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { SubmitForm } from "../../forms/SubmitForm.tsx";
import { useSubmit } from "../../forms/useSubmit.ts";
import { PROVIDER_NAMES } from "../../ui/labels.ts";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { Section } from "../../ui/Section.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { CONNECTION_STATES } from "../health/labels.ts";
import { Actions } from "./Actions.tsx";
import { ConnectionFacts } from "./ConnectionFacts.tsx";
import { Explanation } from "./Explanation.tsx";
import { Timeline } from "./Timeline.tsx";

const route = getRouteApi("/support/connections/$connectionId");

interface Opened {
  readonly reason: string;
  readonly connection: SupportDetailFragment;
}

/** A connection for support. It is opened on request, because each view is in the audit log with its reason. */
export function ConnectionPage() {
  const { connectionId } = route.useParams();
  return <OpenedConnection key={connectionId} id={connectionId} />;
}

function OpenedConnection({ id }: { readonly id: string }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const breadcrumbs = [{ to: "/support", label: "Support" }];
  if (opened === null) {
    return (
      <>
        <PageHeader title="Connection" breadcrumbs={breadcrumbs} description={id} />
        <Section title="Open">
          <OpenForm id={id} onOpened={setOpened} />
        </Section>
      </>
    );
  }
  const { connection, reason } = opened;
  const { status, provider } = connection;
  const show = (changed: SupportDetailFragment) => setOpened({ reason, connection: changed });
  return (
    <>
      <PageHeader
        title={`Connection at ${PROVIDER_NAMES[provider]}`}
        breadcrumbs={breadcrumbs}
        description={id}
        badge={<StatusBadge {...(status === null ? { label: "Erased", tone: "idle" } : CONNECTION_STATES[status])} />}
      />
      <Explanation connection={connection} />
      <Timeline connection={connection} reason={reason} onChanged={show} />
      <ConnectionFacts connection={connection} />
      <Actions connection={connection} reason={reason} onChanged={show} />
    </>
  );
}

function OpenForm({ id, onOpened }: { readonly id: string; readonly onOpened: (opened: Opened) => void }) {
  const form = useForm({
    mode: "uncontrolled",
    initialValues: { reason: "" },
    validate: { reason: (reason) => (reason.trim() === "" ? "Enter a reason." : null) },
  });
  const submit = useSubmit(form, {
    name: `support-open-${id}`,
    run: async (values) => {
      const reason = values.reason.trim();
      return { reason, connection: unwrap((await request(ViewConnectionDocument, { id, reason })).result) };
    },
    onDone: onOpened,
  });
  return (
    <SubmitForm submit={submit} label="Open connection" gap="md" needsConfirmation>
      <TextInput
        label="Reason"
        description="For the audit log: a ticket, a correlation id or a few words. No personal data."
        required
        autoComplete="off"
        key={form.key("reason")}
        {...form.getInputProps("reason")}
      />
    </SubmitForm>
  );
}
