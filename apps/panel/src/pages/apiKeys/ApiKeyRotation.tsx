import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { KeyFragment } from "../../_generated/apiKeys.ts";
import { KeyRotation } from "../../keys/KeyRotation.tsx";
import { rotationOf } from "../../keys/rotationStep.ts";
import { keyState } from "../../ui/keyState.ts";
import { serviceTime } from "../../ui/Timestamp.tsx";
import { ROTATION_REFRESH_MS, useLive } from "../../ui/useLive.ts";
import { apiKeyDetail, newestApiKeys } from "./queries.ts";
import { useRevokeApiKey } from "./RevokeKeyDialog.tsx";

/** The rotation that a key is part of: the active keys of its admin with the same label and scope. */
export function ApiKeyRotation({ of: { label, scope, createdBy } }: { readonly of: KeyFragment }) {
  const queries = useQueryClient();
  const query = useQuery(newestApiKeys);
  const revoke = useRevokeApiKey();
  const same = (query.data ?? []).filter(
    (key) =>
      key.label === label &&
      key.scope === scope &&
      key.createdBy === createdBy &&
      keyState(key, serviceTime()).isActive,
  );
  const rotation = rotationOf(same);
  useLive(query, rotation === null ? null : ROTATION_REFRESH_MS);
  if (rotation === null) return null;
  const { oldKey } = rotation;
  return (
    <KeyRotation
      {...rotation}
      user="your script"
      readLastUse={async () => {
        const { apiKey } = await queries.fetchQuery({ ...apiKeyDetail(oldKey.id), staleTime: 0 });
        // Also updates the page, which shows the list.
        void query.refetch();
        return apiKey.lastUsedAt;
      }}
      revoke={() => revoke(oldKey)}
    />
  );
}
