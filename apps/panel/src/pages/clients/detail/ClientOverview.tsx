import { Button, Code } from "@mantine/core";
import { useState } from "react";
import { DescriptionList } from "../../../ui/DescriptionList.tsx";
import { CAPABILITY_NAMES, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { Section } from "../../../ui/Section.tsx";
import { Timestamp } from "../../../ui/Timestamp.tsx";
import { DisplayNameForm } from "./DisplayNameForm.tsx";
import { EnabledDialog } from "./EnabledDialog.tsx";
import { NextSteps } from "./NextSteps.tsx";
import { useClient } from "./useClient.ts";

export function ClientOverview() {
  const client = useClient();
  const [isAsked, setIsAsked] = useState(false);
  const { enabled } = client;
  return (
    <>
      <NextSteps />
      <Section title="In short">
        <DescriptionList
          facts={[
            ["Slug", <Code key="slug">{client.slug}</Code>],
            [
              "Id",
              <Code key="id" translate="no">
                {client.id}
              </Code>,
            ],
            ["Providers", client.providers.map((provider) => PROVIDER_NAMES[provider]).join(", ") || "none"],
            [
              "May ask for",
              client.capabilities.map((capability) => CAPABILITY_NAMES[capability]).join(", ") || "nothing",
            ],
            ["Tenants", client.tenantKeys.length],
            ["Identity sign-in", client.idpIdentityEnabled ? "on" : "off"],
            ["Previews", client.previewOriginsEnabled ? "on" : "off"],
            ["Registered", <Timestamp key="created" at={client.createdAt} />],
            ["Changed", <Timestamp key="updated" at={client.updatedAt} />],
          ]}
        />
      </Section>
      <Section title="Name" description="How admins know the application. The slug never changes.">
        <DisplayNameForm key={client.id} />
      </Section>
      <Section
        title={enabled ? "Disable the client" : "Enable the client"}
        isDangerous={enabled}
        description={
          enabled
            ? "Its keys are refused at the next call, and whatever its users have begun and not finished ends at once. What they have connected stays."
            : "Its keys work again from the next call on. Attempts that ended stay ended."
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
