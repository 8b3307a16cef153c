import { queryOptions } from "@tanstack/react-query";
import { ApiKeyDeploymentDocument } from "../../_generated/apiKeys.ts";
import { request } from "../../api/request.ts";

/** The deployment settings that limit a new key; they do not change while the service runs. */
export const apiKeyDeployment = queryOptions({
  queryKey: ["deployment", "apiKeys"],
  queryFn: async () => (await request(ApiKeyDeploymentDocument)).deployment,
  staleTime: Number.POSITIVE_INFINITY,
});
