import { Button, Code } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ClientConnectionsDocument, SetClientEnabledDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { PlannedTouch } from "../../../touched/PlannedTouch.tsx";
import { CopyId } from "../../../ui/CopyId.tsx";
import { DescriptionList } from "../../../ui/DescriptionList.tsx";
import { Loaded } from "../../../ui/Loaded.tsx";
import { CAPABILITY_NAMES, namesOf, PROVIDER_NAMES } from "../../../ui/labels.ts";
import { Section } from "../../../ui/Section.tsx";
import { Loading, SectionsSkeleton } from "../../../ui/Skeletons.tsx";
import { Timestamp } from "../../../ui/Timestamp.tsx";
import { Activity } from "../../activity/LazyActivity.tsx";
import { Connections } from "../../health/Connections.tsx";
import { clientCredentials, clientDeployment, clientTesters } from "../shared/queries.ts";
import { DisplayNameForm } from "./DisplayNameForm.tsx";
import { ExpiringKeys } from "./ExpiringKeys.tsx";
import { NextSteps } from "./NextSteps.tsx";
import { useClient, useClientChange } from "./useClient.ts";

export function ClientOverview() {
  const client = useClient();
  // What is to be done stands first.
  const toDo = [useQuery(clientCredentials(client.id)), useQuery(clientTesters(client.id)), useQuery(clientDeployment)];
  if (toDo.some(({ isPending }) => isPending))
    return (
      <Loading>
        <SectionsSkeleton lines={[9]} />
      </Loading>
    );
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
      <ClientConnections />
      <Activity clientId={client.id} />
      <Section
        title="Name"
        description="Shown to admins, and to users on the service’s pages. The slug cannot be changed."
      >
        <DisplayNameForm key={client.id} />
      </Section>
      <EnabledSection />
    </>
  );
}

function ClientConnections() {
  const { id, slug } = useClient();
  const query = useQuery({
    queryKey: ["clients", "connections", id],
    queryFn: async () => (await request(ClientConnectionsDocument, { id })).connections,
  });
  return (
    <Loaded query={query} sections={[4]}>
      {(counts) => <Connections counts={counts} client={slug} />}
    </Loaded>
  );
}

const DISABLING = [
  "Its keys are rejected immediately.",
  "Unfinished attempts and sign-ins are canceled.",
  "Existing connections stay, and can be read again once the client is enabled.",
];

function EnabledSection() {
  const { id, slug, displayName, enabled } = useClient();
  const change = useClientChange();
  const [isAsked, setIsAsked] = useState(false);
  const verb = enabled ? "Disable" : "Enable";
  const notice = `${displayName} was ${enabled ? "disabled" : "enabled"}.`;
  return (
    <Section
      title={`${verb} client`}
      isDangerous={enabled}
      description={
        enabled
          ? "Its keys are rejected immediately, and unfinished attempts and sign-ins are canceled. Existing connections stay."
          : "Its keys work again immediately. Canceled attempts stay canceled."
      }
      actions={
        <Button variant="light" {...(enabled ? { color: "red" } : {})} onClick={() => setIsAsked(true)}>
          {verb}
        </Button>
      }
    >
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title={`${verb} ${displayName}?`}
        consequences={
          enabled
            ? [<PlannedTouch key="touch" action="DISABLE_CLIENT" id={id} />, ...DISABLING]
            : ["Its keys work again immediately."]
        }
        nameToType={enabled ? slug : null}
        confirmLabel={`${verb} client`}
        isHarmless={!enabled}
        onConfirm={() => change(SetClientEnabledDocument, { enabled: !enabled }, notice, enabled)}
      />
    </Section>
  );
}
