import { queryOptions } from "@tanstack/react-query";
import { ApiKeyDeploymentDocument } from "../../_generated/apiKeys.ts";
import { request } from "../../api/request.ts";

/** What a new key depends on; a deployment's settings do not change while it runs. */
export const apiKeyDeployment = queryOptions({
  queryKey: ["deployment", "apiKeys"],
  queryFn: async () => (await request(ApiKeyDeploymentDocument)).deployment,
  staleTime: Number.POSITIVE_INFINITY,
});
