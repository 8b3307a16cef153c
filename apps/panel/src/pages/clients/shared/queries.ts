import type { QueryClient } from "@tanstack/react-query";
import { queryOptions } from "@tanstack/react-query";
import type { ClientFragment } from "../../../_generated/clients.ts";
import {
  ClientCredentialsDocument,
  ClientDocument,
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

/** How the deployment is set up, as far as a client depends on it. */
export const surroundings = queryOptions({
  queryKey: ["clients", "surroundings"],
  queryFn: () => request(ClientSurroundingsDocument),
});

export const previewTemplate = queryOptions({
  queryKey: ["deployment", "previewTemplate"],
  queryFn: async () => (await request(PreviewTemplateDocument)).previewTemplate.template,
  // A setting of the deployment: it does not change while the service runs.
  staleTime: Number.POSITIVE_INFINITY,
});

/** Shows a client as a change left it, and has the lists read again that it is in. */
export function keepClient(queries: QueryClient, client: Client): Promise<void> {
  queries.setQueryData(clientDetail(client.id).queryKey, client);
  return queries.invalidateQueries({ queryKey: ["clients", "list"] });
}
