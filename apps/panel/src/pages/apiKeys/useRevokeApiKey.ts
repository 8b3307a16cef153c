import { useQueryClient } from "@tanstack/react-query";
import { RevokeApiKeyDocument } from "../../_generated/apiKeys.ts";
import { request } from "../../api/request.ts";
import { unwrap } from "../../api/result.ts";
import { shortKeyId } from "../../ui/labels.ts";
import { notifyDone } from "../../ui/notify.ts";

interface NamedKey {
  readonly id: string;
  readonly label: string;
}

export function nameOfKey({ id, label }: NamedKey): string {
  return label.trim() || shortKeyId(id);
}

/** Revokes an admin key and updates the pages that show it. */
export function useRevokeApiKey(): (key: NamedKey) => Promise<void> {
  const queries = useQueryClient();
  return async (key) => {
    unwrap((await request(RevokeApiKeyDocument, { id: key.id })).result);
    notifyDone(`The key “${nameOfKey(key)}” was revoked.`);
    await queries.invalidateQueries({ queryKey: ["apiKeys"] });
  };
}
