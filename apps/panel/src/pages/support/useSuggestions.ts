import { useDebouncedValue } from "@mantine/hooks";
import { MOST_SEARCHED_CHARACTERS } from "@social-connect/domain";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  SuggestedClientsDocument,
  SuggestedTenantsDocument,
  SuggestedUsersDocument,
} from "../../_generated/support.ts";
import { request } from "../../api/request.ts";

/** What was typed in the search by user. */
interface Typed {
  readonly clientSlug: string;
  readonly tenantKey: string;
  readonly externalSubjectId: string;
}

const TYPING_MS = 200;

/**
 * Clients by name or slug, tenants of the client, and ids of its users. They only help: a late or failed search is
 * ignored, and any text can be searched for. What was found for an earlier text stays while it matches.
 */
export function useSuggestions({ clientSlug, tenantKey, externalSubjectId }: Typed) {
  const slug = clientSlug.trim();
  const [text] = useDebouncedValue(slug, TYPING_MS);
  const [startsWith] = useDebouncedValue(externalSubjectId, TYPING_MS);
  const clients = useQuery({
    queryKey: ["suggestions", "clients", text],
    queryFn: async () => (await request(SuggestedClientsDocument, { text })).page.items,
    enabled: isSearched(text),
    placeholderData: keepPreviousData,
  });
  const chosen = clients.data?.find((client) => client.slug === slug);
  const tenants = useQuery({
    queryKey: ["suggestions", "tenants", chosen?.id],
    queryFn: async () => (await request(SuggestedTenantsDocument, { id: chosen?.id ?? "" })).client.tenantKeys,
    enabled: chosen !== undefined,
  });
  const [only, ...others] = tenants.data ?? [];
  const scope = { clientSlug: slug, tenantKey: tenantKey || (others.length === 0 ? (only ?? "") : "") };
  const ofScope = JSON.stringify(scope);
  const users = useQuery({
    queryKey: ["suggestions", "users", ofScope, startsWith],
    queryFn: async () => (await request(SuggestedUsersDocument, { ...scope, startsWith })).ids,
    enabled: chosen !== undefined && scope.tenantKey !== "" && isSearched(startsWith),
    placeholderData: (before, query) => (query?.queryKey[2] === ofScope ? before : undefined),
  });
  const contains = (value: string, part: string) => value.toLowerCase().includes(part.toLowerCase());
  const matching = (clients.data ?? []).filter(
    (client) => slug !== "" && (contains(client.slug, slug) || contains(client.displayName, slug)),
  );
  const slugs = matching.map((client) => client.slug);
  const ids = (users.data ?? []).filter((id) => externalSubjectId !== "" && id.startsWith(externalSubjectId));
  return {
    names: new Map(matching.map((client) => [client.slug, client.displayName])),
    clients: offered(slugs, slug),
    tenants: offered(
      (tenants.data ?? []).filter((key) => contains(key, tenantKey)),
      tenantKey,
    ),
    users: offered(ids, externalSubjectId),
  };
}

function isSearched(text: string): boolean {
  return text !== "" && text.length <= MOST_SEARCHED_CHARACTERS;
}

/** Nothing if the only value is already there: an open list would cover what follows the field. */
function offered(values: readonly string[], typed: string): string[] {
  return values.length === 1 && values[0] === typed ? [] : [...values];
}
