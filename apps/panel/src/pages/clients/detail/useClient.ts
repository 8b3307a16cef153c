import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { notifyDone } from "../../../ui/notify.ts";
import type { Client } from "../shared/queries.ts";
import { clientDetail, keepClient } from "../shared/queries.ts";

const route = getRouteApi("/clients/$clientId");

/** The client whose page is open; its parts are shown only once it is there. */
export function useClient(): Client {
  const { clientId } = route.useParams();
  return useSuspenseQuery(clientDetail(clientId)).data;
}

/** Reads the client from the service, whatever is shown of it; the page shows it as it is then. */
export function useReadClient(id: string): () => Promise<Client> {
  const queries = useQueryClient();
  return () => queries.fetchQuery({ ...clientDetail(id), staleTime: 0 });
}

/** Does a change that answers with the client, shows it, and says that it was done. */
export function useClientChange(): (change: Promise<Client>, notice: string) => Promise<Client> {
  const queries = useQueryClient();
  return async (change, notice) => {
    const client = await change;
    await keepClient(queries, client);
    notifyDone(notice);
    return client;
  };
}
