import { Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { ApiKeysDocument, type KeyFragment } from "../../_generated/apiKeys.ts";
import { request } from "../../api/request.ts";
import { actionColumn } from "../../ui/actionColumn.tsx";
import { CopyId } from "../../ui/CopyId.tsx";
import type { Column } from "../../ui/DataTable.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { KeyExpiry } from "../../ui/KeyExpiry.tsx";
import { keyState } from "../../ui/keyState.ts";
import { SCOPE_NAMES, shortKeyId } from "../../ui/labels.ts";
import { LinkButton, LinkTo } from "../../ui/links.tsx";
import { PagedTable } from "../../ui/PagedTable.tsx";
import { PageHeader } from "../../ui/PageHeader.tsx";
import { StatusBadge } from "../../ui/StatusBadge.tsx";
import { serviceTime, Timestamp } from "../../ui/Timestamp.tsx";
import { usePages } from "../../ui/usePages.ts";
import { RevokeKeyDialog } from "./RevokeKeyDialog.tsx";

export function ApiKeysPage() {
  const [revoking, setRevoking] = useState<KeyFragment | null>(null);
  const pages = usePages(["apiKeys", "list"], async (after) => (await request(ApiKeysDocument, { after })).page);
  return (
    <>
      <PageHeader
        title="API keys"
        description="For scripts that call the admin API. A key acts as the admin who minted it and always expires."
        actions={
          <LinkButton to="/api-keys/new" leftSection={<IconPlus size={18} aria-hidden />}>
            Mint a key
          </LinkButton>
        }
      />
      <PagedTable
        caption="Admin keys, newest first"
        pages={pages}
        columns={columns(setRevoking)}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No API keys yet" text="Scripts need a key to call the admin API." />}
      />
      <RevokeKeyDialog value={revoking} onClose={() => setRevoking(null)} />
    </>
  );
}

function columns(revoke: (key: KeyFragment) => void): readonly Column<KeyFragment>[] {
  return [
    {
      header: "Key",
      cell: ({ id, label }) => (
        <>
          <LinkTo to="/api-keys/$keyId" params={{ keyId: id }} fw={600}>
            {label}
          </LinkTo>
          <Text size="xs" c="dimmed" component="div">
            <CopyId id={id} of={`key ${label}`} shown={shortKeyId(id)} />
          </Text>
        </>
      ),
    },
    { header: "State", cell: (key) => <StatusBadge {...keyState(key, serviceTime())} /> },
    { header: "Scope", cell: ({ scope }) => SCOPE_NAMES[scope] },
    { header: "Minted by", isLong: true, isSecondary: true, cell: ({ createdBy }) => createdBy },
    { header: "Last used", cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} /> },
    { header: "Expires", cell: (key) => <KeyExpiry {...key} /> },
    actionColumn({
      verb: "Revoke",
      nameOf: ({ label }) => `key ${label}`,
      isOffered: (key) => keyState(key, serviceTime()).isActive,
      run: revoke,
    }),
  ];
}
