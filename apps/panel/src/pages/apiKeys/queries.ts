import { queryOptions } from "@tanstack/react-query";
import { ApiKeyDeploymentDocument, ApiKeyDetailDocument, ApiKeysDocument } from "../../_generated/apiKeys.ts";
import { request } from "../../api/request.ts";

/** The deployment settings that limit a new key; they do not change while the service runs. */
export const apiKeyDeployment = queryOptions({
  queryKey: ["deployment", "apiKeys"],
  queryFn: async () => (await request(ApiKeyDeploymentDocument)).deployment,
  staleTime: Number.POSITIVE_INFINITY,
});

export function apiKeyDetail(id: string) {
  return queryOptions({
    queryKey: ["apiKeys", "detail", id],
    queryFn: async () => (await request(ApiKeyDetailDocument, { id })).detail,
  });
}

/** The newest keys of all admins, among which a key's replacement is found. */
export const newestApiKeys = queryOptions({
  queryKey: ["apiKeys", "newest"],
  queryFn: async () => (await request(ApiKeysDocument, { first: 100 })).page.items,
});
