import { Button, Code, Text } from "@mantine/core";
import { LIMITS } from "@social-connect/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { RevokeClientCredentialDocument } from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";
import { unwrap } from "../../../api/result.ts";
import { ConfirmDialog } from "../../../forms/ConfirmDialog.tsx";
import type { Column } from "../../../ui/DataTable.tsx";
import { DataTable } from "../../../ui/DataTable.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Loaded } from "../../../ui/Loaded.tsx";
import { shortKeyId } from "../../../ui/labels.ts";
import { LinkButton } from "../../../ui/links.tsx";
import { notifyDone } from "../../../ui/notify.ts";
import { Section } from "../../../ui/Section.tsx";
import { StatusBadge } from "../../../ui/StatusBadge.tsx";
import { serviceTime, Timestamp } from "../../../ui/Timestamp.tsx";
import { clientCredentials } from "../shared/queries.ts";
import type { Credential } from "./credentialState.ts";
import { credentialState } from "./credentialState.ts";
import { useClient } from "./useClient.ts";

export function ClientKeys() {
  const { id } = useClient();
  const query = useQuery(clientCredentials(id));
  const [revoking, setRevoking] = useState<Credential | null>(null);
  const active = query.data?.filter((key) => credentialState(key, serviceTime()).isActive).length ?? 0;
  const isFull = active >= LIMITS.activeApplicationKeys;
  return (
    <Section
      title="Application keys"
      description={
        isFull
          ? `Two keys are active, which is the most: revoke one before you issue another.`
          : "With a key the application’s backend calls the service. Two can be active, so that one can take over from the other."
      }
      actions={
        !isFull && (
          <LinkButton to="/clients/$clientId/keys/new" params={{ clientId: id }}>
            Issue a key
          </LinkButton>
        )
      }
    >
      <Loaded query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyState title="No key yet" text="Without one, the application cannot call the service." />
          ) : (
            <DataTable
              caption="Application keys, the newest first"
              columns={columns(setRevoking)}
              rows={keys}
              rowKey={({ keyId }) => keyId}
            />
          )
        }
      </Loaded>
      <RevokeDialog credential={revoking} onClose={() => setRevoking(null)} />
    </Section>
  );
}

function columns(revoke: (key: Credential) => void): readonly Column<Credential>[] {
  return [
    {
      header: "Key",
      isRowHeader: true,
      cell: ({ keyId }) => (
        <Code title={keyId} translate="no">
          {shortKeyId(keyId)}
        </Code>
      ),
    },
    {
      header: "State",
      cell: (key) => {
        const { label, tone } = credentialState(key, serviceTime());
        return <StatusBadge tone={tone}>{label}</StatusBadge>;
      },
    },
    { header: "Issued", cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
    { header: "Last used", cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
    { header: "Ends", cell: ({ expiresAt }) => <Timestamp at={expiresAt} ifNone="when revoked" /> },
    {
      header: "Actions",
      isActions: true,
      cell: (key) =>
        credentialState(key, serviceTime()).isActive && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Revoke the key ${shortKeyId(key.keyId)}`}
            onClick={() => revoke(key)}
          >
            Revoke
          </Button>
        ),
    },
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
  const queries = useQueryClient();
  const keyId = credential?.keyId ?? "";
  return (
    <ConfirmDialog
      isOpen={credential !== null}
      onClose={onClose}
      title={`Revoke the key ${shortKeyId(keyId)}?`}
      consequences={[
        `Every process of ${displayName} that still uses it is refused from its next call on.`,
        "A revoked key never works again.",
        credential !== null && credential.lastUsedAt !== null ? (
          <Text span key="used">
            It was last used <Timestamp at={credential.lastUsedAt} />.
          </Text>
        ) : (
          "It was never used."
        ),
      ]}
      nameToType={shortKeyId(keyId)}
      confirmLabel="Revoke the key"
      onConfirm={async () => {
        unwrap((await request(RevokeClientCredentialDocument, { id, keyId })).result);
        await queries.invalidateQueries({ queryKey: clientCredentials(id).queryKey });
        notifyDone(`The key ${shortKeyId(keyId)} is revoked.`);
      }}
    />
  );
}
