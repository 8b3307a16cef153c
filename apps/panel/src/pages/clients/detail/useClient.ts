import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Document } from "../../../api/document.ts";
import { request } from "../../../api/request.ts";
import { withTouched } from "../../../touched/touchedText.ts";
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

/** Returns a function that updates the page with a changed client and shows a notice. */
export function useShowClient() {
  const queries = useQueryClient();
  return async (client: Client, notice: string): Promise<Client> => {
    await cacheClient(queries, client);
    notifyDone(notice);
    return client;
  };
}

/** Returns a function that sends a change of the current client and shows the result. */
export function useClientChange() {
  const { clientId: id } = route.useParams();
  const show = useShowClient();
  return async <Variables extends { readonly id: string }>(
    document: Document<{ readonly client: Client }, Variables>,
    changed: Omit<Variables, "id">,
    notice: string,
    /** The change takes something away: the notice says how much. */
    isRemoval = false,
  ): Promise<Client> => {
    const [{ client }, touched] = await withTouched(isRemoval ? id : null, () =>
      request(document, ...([{ id, ...changed }] as never)),
    );
    return show(client, `${notice}${touched}`);
  };
}
