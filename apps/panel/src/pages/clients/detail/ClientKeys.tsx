import { Text } from "@mantine/core";
import { LIMITS } from "@social-connect/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type ClientCredentialsQuery, RevokeClientCredentialDocument } from "../../../_generated/clients.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import { useChange } from "../../../forms/useChange.ts";
import { KeyRotation } from "../../../keys/KeyRotation.tsx";
import { type RotatingKey, rotationOf } from "../../../keys/rotationStep.ts";
import { actionColumn } from "../../../ui/actionColumn.tsx";
import { CopyId } from "../../../ui/CopyId.tsx";
import { type Column, DataTable } from "../../../ui/DataTable.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { KeyExpiry } from "../../../ui/KeyExpiry.tsx";
import { keyState } from "../../../ui/keyState.ts";
import { Loaded } from "../../../ui/Loaded.tsx";
import { shortKeyId } from "../../../ui/labels.ts";
import { LinkButton } from "../../../ui/links.tsx";
import { Section } from "../../../ui/Section.tsx";
import { StatusBadge } from "../../../ui/StatusBadge.tsx";
import { serviceTime, Timestamp } from "../../../ui/Timestamp.tsx";
import { REFRESH_MS, ROTATION_REFRESH_MS, useLive } from "../../../ui/useLive.ts";
import { clientCredentials } from "../shared/queries.ts";
import { useClient } from "./useClient.ts";

type Credential = ClientCredentialsQuery["credentials"][number];

export function ClientKeys() {
  const { id } = useClient();
  const query = useQuery(clientCredentials(id));
  const [revoking, setRevoking] = useState<Credential | null>(null);
  const active = (query.data ?? []).filter((key) => keyState(key, serviceTime()).isActive);
  const isFull = active.length >= LIMITS.activeApplicationKeys;
  const rotation = rotationOf(active.map((key) => ({ ...key, id: key.keyId })));
  useLive(query, rotation === null ? REFRESH_MS : ROTATION_REFRESH_MS);
  return (
    <>
      {rotation !== null && <ClientKeyRotation {...rotation} />}
      <Section
        title="Application keys"
        description={
          isFull
            ? `Limit of ${LIMITS.activeApplicationKeys} active keys reached. Revoke a key before you issue another.`
            : `The application’s backend calls the service with a key. ${LIMITS.activeApplicationKeys} keys can be active, so that you can rotate them.`
        }
        actions={
          !isFull && (
            <LinkButton to="/clients/$clientId/keys/new" params={{ clientId: id }}>
              {active.length === 0 ? "Issue a key" : "Rotate the key"}
            </LinkButton>
          )
        }
      >
        <Loaded query={query}>
          {(keys) => (
            <DataTable
              caption="Application keys, newest first"
              columns={columns(setRevoking)}
              rows={keys}
              rowKey={({ keyId }) => keyId}
              empty={<EmptyState title="No keys yet" text="The application needs a key to call the service." />}
            />
          )}
        </Loaded>
        <RevokeDialog credential={revoking} onClose={() => setRevoking(null)} />
      </Section>
    </>
  );
}

/** The two active keys of a client. */
function ClientKeyRotation({ oldKey, newKey }: { readonly oldKey: RotatingKey; readonly newKey: RotatingKey }) {
  const { id, displayName } = useClient();
  const queries = useQueryClient();
  const revoke = useRevoke();
  return (
    <KeyRotation
      oldKey={oldKey}
      newKey={newKey}
      user={displayName}
      readLastUse={async () => {
        const keys = await queries.fetchQuery({ ...clientCredentials(id), staleTime: 0 });
        return keys.find(({ keyId }) => keyId === oldKey.id)?.lastUsedAt ?? null;
      }}
      revoke={() => revoke(oldKey.id)}
    />
  );
}

/** Revokes a key of the client and updates the page. */
function useRevoke() {
  const { id } = useClient();
  const change = useChange(clientCredentials(id).queryKey);
  return (keyId: string) =>
    change(RevokeClientCredentialDocument, { id, keyId }, `The key ${shortKeyId(keyId)} was revoked.`);
}

function columns(revoke: (key: Credential) => void): readonly Column<Credential>[] {
  return [
    {
      header: "Key",
      cell: ({ keyId }) => <CopyId id={keyId} of={`key ${shortKeyId(keyId)}`} shown={shortKeyId(keyId)} />,
    },
    { header: "State", cell: (key) => <StatusBadge {...keyState(key, serviceTime())} /> },
    { header: "Issued", cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
    { header: "Last used", cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
    { header: "Expires", cell: (key) => <KeyExpiry {...key} /> },
    actionColumn({
      verb: "Revoke",
      nameOf: ({ keyId }) => `key ${shortKeyId(keyId)}`,
      isOffered: (key) => keyState(key, serviceTime()).isActive,
      run: revoke,
    }),
  ];
}

function RevokeDialog({
  credential,
  onClose,
}: {
  readonly credential: Credential | null;
  readonly onClose: () => void;
}) {
  const { id, displayName } = useClient();
  const revoke = useRevoke();
  const { data = [] } = useQuery(clientCredentials(id));
  const keyId = credential?.keyId ?? "";
  const others = data.filter((key) => key.keyId !== keyId && keyState(key, serviceTime()).isActive).length;
  return (
    <ConfirmDialog
      isOpen={credential !== null}
      onClose={onClose}
      title={`Revoke key ${shortKeyId(keyId)}?`}
      consequences={[
        `Requests of ${displayName} with this key are rejected immediately.`,
        `It affects 1 key; ${others === 0 ? "no other key is active, so every call fails" : `${others} active key stays`}.`,
        "A revoked key cannot be restored.",
        credential !== null && credential.lastUsedAt !== null ? (
          <Text span key="used">
            It was last used <Timestamp at={credential.lastUsedAt} />.
          </Text>
        ) : (
          "It was never used."
        ),
      ]}
      nameToType={shortKeyId(keyId)}
      confirmLabel="Revoke key"
      onConfirm={() => revoke(keyId)}
    />
  );
}
