import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { notifyDone } from "../../../ui/notify.ts";
import { type Client, cacheClient, clientDetail } from "../shared/queries.ts";

const route = getRouteApi("/clients/$clientId");

/** The client of the current page. Its tabs are rendered once it is loaded. */
export function useClient(): Client {
  const { clientId } = route.useParams();
  return useSuspenseQuery(clientDetail(clientId)).data;
}

/** Refetches the client and updates the page. */
export function useReadClient(id: string): () => Promise<Client> {
  const queries = useQueryClient();
  return () => queries.fetchQuery({ ...clientDetail(id), staleTime: 0 });
}

/** Waits for a mutation that returns the client, updates the page and shows a notice. */
export function useClientChange(): (change: Promise<{ readonly client: Client }>, notice: string) => Promise<Client> {
  const queries = useQueryClient();
  return async (change, notice) => {
    const { client } = await change;
    await cacheClient(queries, client);
    notifyDone(notice);
    return client;
  };
}
