import { Button, Group, Text } from "@mantine/core";
import { Fragment, useState } from "react";
import {
  ChangeEventEndpointDocument,
  RemoveEventEndpointDocument,
  SendTestEventDocument,
} from "../../_generated/clientEvents.ts";
import { ConfirmDialog } from "../../forms/ConfirmDialog.tsx";
import { useAction } from "../../forms/useAction.ts";
import { useChange } from "../../forms/useChange.ts";
import { PlannedTouch } from "../../touched/PlannedTouch.tsx";
import { ActionButton } from "../../ui/ActionButton.tsx";
import { DescriptionList, type Fact } from "../../ui/DescriptionList.tsx";
import { endpointState, hostOf, OFF_REASONS } from "../../ui/eventEndpoints.ts";
import { FailureNote } from "../../ui/FailureNote.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { serviceTime, Timestamp } from "../../ui/Timestamp.tsx";
import { useClient } from "../clients/detail/useClient.ts";
import classes from "./EndpointCard.module.css";
import { type Endpoint, eventEndpoints, eventsKey } from "./queries.ts";

/** One endpoint: its state, what it receives, and what an admin can do with it. */
export function EndpointCard({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id: clientId } = useClient();
  const { id, url, enabled } = endpoint;
  const host = hostOf(url);
  const change = useChange(eventEndpoints(clientId).queryKey, eventsKey(clientId));
  const [isRemoving, setIsRemoving] = useState(false);
  const link = { params: { clientId, endpointId: id }, variant: "default" } as const;
  const toggle = useAction(() =>
    change(
      ChangeEventEndpointDocument,
      { id, enabled: !enabled },
      enabled
        ? `The endpoint at ${host} was turned off.`
        : `The endpoint at ${host} was turned on. Events from before are not sent.`,
      ...(enabled ? [clientId] : []),
    ),
  );
  const sendTest = useAction(() =>
    change(
      SendTestEventDocument,
      { id },
      `A test event is on its way to ${host}. Its delivery is in the list of events.`,
    ),
  );
  const failure = toggle.failure ?? sendTest.failure;
  return (
    <article aria-label={`Endpoint ${url}`} className={classes.endpoint}>
      <Group gap="sm" mb="xs">
        <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }} translate="no">
          {url}
        </Text>
        <StatusBadge {...endpointState(endpoint)} />
      </Group>
      <DescriptionList facts={factsOf(endpoint)} />
      {failure !== null && <FailureNote failure={failure} />}
      <Group gap="sm" mt="md">
        {enabled && (
          <ActionButton
            variant="default"
            isBusy={sendTest.isBusy}
            aria-label={`Send a test event to ${host}`}
            onClick={() => void sendTest.run()}
          >
            Send a test event
          </ActionButton>
        )}
        <LinkButton to="/clients/$clientId/events/$endpointId" {...link} aria-label={`Change the endpoint at ${host}`}>
          Change
        </LinkButton>
        <LinkButton
          to="/clients/$clientId/events/$endpointId/secret"
          {...link}
          aria-label={`Rotate the secret of ${host}`}
        >
          Rotate the secret
        </LinkButton>
        <ActionButton
          variant="default"
          isBusy={toggle.isBusy}
          aria-label={`Turn ${enabled ? "off" : "on"} ${host}`}
          onClick={() => void toggle.run()}
        >
          {enabled ? "Turn off" : "Turn on"}
        </ActionButton>
        <Button variant="light" color="red" aria-label={`Remove ${host}`} onClick={() => setIsRemoving(true)}>
          Remove
        </Button>
      </Group>
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        title="Remove this endpoint?"
        consequences={[
          <strong key="url">{url}</strong>,
          <PlannedTouch key="touch" action="REMOVE_EVENT_ENDPOINT" id={id} />,
          "No event is sent to it any more. Its secret and its deliveries are deleted.",
          "If you add it again, it gets another secret and no event from before.",
        ]}
        nameToType={host}
        confirmLabel="Remove endpoint"
        onConfirm={() => change(RemoveEventEndpointDocument, { id }, `The endpoint at ${host} was removed.`, clientId)}
      />
    </article>
  );
}

function factsOf(endpoint: Endpoint): readonly Fact[] {
  const { types, enabled, turnedOffReason, turnedOffAt, failingSince, lastTriedAt, lastSucceededAt } = endpoint;
  const { previousSecretUntil: until, createdAt } = endpoint;
  return [
    [
      "Turned off",
      enabled ? null : (
        <Fragment key="off">
          <Timestamp at={turnedOffAt} />. {turnedOffReason !== null && OFF_REASONS[turnedOffReason]}
        </Fragment>
      ),
    ],
    ["Failing since", failingSince && <Timestamp key="since" at={failingSince} />],
    ["Types", types.length === 0 ? "All" : types.join(", ")],
    ["Last delivery", <Timestamp key="delivered" at={lastSucceededAt} />],
    ["Last try", <Timestamp key="tried" at={lastTriedAt} />],
    [
      "Previous secret",
      until !== null && new Date(until) > serviceTime() ? (
        <Fragment key="secret">
          also signs; ends <Timestamp at={until} />
        </Fragment>
      ) : null,
    ],
    ["Added", <Timestamp key="added" at={createdAt} />],
  ];
}
