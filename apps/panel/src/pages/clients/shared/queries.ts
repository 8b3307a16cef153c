import type { OriginRules } from "@social-connect/domain";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import {
  ClientCredentialsDocument,
  ClientDocument,
  type ClientFragment,
  ClientSurroundingsDocument,
  ClientTestersDocument,
  PreviewTemplateDocument,
} from "../../../_generated/clients.ts";
import { request } from "../../../api/request.ts";

export type Client = ClientFragment;

export function clientDetail(id: string) {
  return queryOptions({
    queryKey: ["clients", "detail", id],
    queryFn: async () => (await request(ClientDocument, { id })).client,
  });
}

export function clientCredentials(id: string) {
  return queryOptions({
    queryKey: ["clients", "credentials", id],
    queryFn: async () => (await request(ClientCredentialsDocument, { id })).credentials,
  });
}

export function clientTesters(id: string) {
  return queryOptions({
    queryKey: ["clients", "testers", id],
    queryFn: async () => (await request(ClientTestersDocument, { id })).testers,
  });
}

/** The deployment settings that affect clients. */
export const clientDeployment = queryOptions({
  queryKey: ["clients", "clientDeployment"],
  queryFn: () => request(ClientSurroundingsDocument),
});

export const previewTemplate = queryOptions({
  queryKey: ["deployment", "previewTemplate"],
  queryFn: async () => (await request(PreviewTemplateDocument)).previewTemplate.template,
  // Deployment settings do not change while the service runs.
  staleTime: Number.POSITIVE_INFINITY,
});

/** Which addresses of clients the deployment accepts; every http loopback address until that is known. */
export function useAddressRules(): OriginRules {
  const { data = true } = useQuery({
    queryKey: ["deployment", "allowsLoopbackHttp"],
    queryFn: async () => (await request(PreviewTemplateDocument)).previewTemplate.allowsLoopbackHttp,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { allowLoopbackHttp: data };
}

/** Caches a changed client and refetches the lists that contain it. */
export function cacheClient(queries: QueryClient, client: Client): Promise<void> {
  queries.setQueryData(clientDetail(client.id).queryKey, client);
  return queries.invalidateQueries({ queryKey: ["clients", "list"] });
}
