import { Button, Code } from "@mantine/core";
import { useState } from "react";
import { CopyId } from "../../../ui/CopyId.tsx";
import { DescriptionList } from "../../../ui/DescriptionList.tsx";
import { CAPABILITY_NAMES, namesOf, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { Section } from "../../../ui/Section.tsx";
import { Timestamp } from "../../../ui/Timestamp.tsx";
import { Activity } from "../../activity/LazyActivity.tsx";
import { DisplayNameForm } from "./DisplayNameForm.tsx";
import { EnabledDialog } from "./EnabledDialog.tsx";
import { ExpiringKeys } from "./ExpiringKeys.tsx";
import { NextSteps } from "./NextSteps.tsx";
import { useClient } from "./useClient.ts";

export function ClientOverview() {
  const client = useClient();
  const [isAsked, setIsAsked] = useState(false);
  const { enabled } = client;
  return (
    <>
      <ExpiringKeys />
      <NextSteps />
      <Section title="Summary">
        <DescriptionList
          facts={[
            ["Slug", <Code key="slug">{client.slug}</Code>],
            ["Id", <CopyId key="id" id={client.id} of="client" />],
            ["Providers", namesOf(PROVIDER_NAMES, client.providers) || "none"],
            ["Capabilities", namesOf(CAPABILITY_NAMES, client.capabilities) || "nothing"],
            ["Tenants", client.tenantKeys.length],
            ["Identity sign-in", client.idpIdentityEnabled ? "on" : "off"],
            ["Previews", client.previewOriginsEnabled ? "on" : "off"],
            ["Created", <Timestamp key="created" at={client.createdAt} />],
            ["Updated", <Timestamp key="updated" at={client.updatedAt} />],
          ]}
        />
      </Section>
      <Activity clientId={client.id} />
      <Section
        title="Name"
        description="Shown to admins, and to users on the service’s pages. The slug cannot be changed."
      >
        <DisplayNameForm key={client.id} />
      </Section>
      <Section
        title={enabled ? "Disable client" : "Enable client"}
        isDangerous={enabled}
        description={
          enabled
            ? "Its keys are rejected immediately, and unfinished attempts and sign-ins are canceled. Existing connections stay."
            : "Its keys work again immediately. Canceled attempts stay canceled."
        }
        actions={
          <Button variant="light" {...(enabled ? { color: "red" } : {})} onClick={() => setIsAsked(true)}>
            {enabled ? "Disable" : "Enable"}
          </Button>
        }
      >
        <EnabledDialog isOpen={isAsked} onClose={() => setIsAsked(false)} />
      </Section>
    </>
  );
}
