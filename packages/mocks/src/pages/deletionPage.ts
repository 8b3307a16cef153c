import { isPastRetention, providerOfSlug } from "@social-connect/domain";
import type { Incoming, Reply } from "../http/exchange.ts";
import { PROVIDERS } from "../providers/providers.ts";
import type { World } from "../world/world.ts";
import { html } from "./html.ts";
import { contentPage } from "./pages.ts";

/** `GET /api/connect/{provider}/data-deletion`: the status of a data deletion request. */
export function showDeletion(world: World, request: Incoming, slug: string): Reply | null {
  const provider = providerOfSlug(slug);
  if (provider === null || !PROVIDERS[provider].messages.includes("data-deletion")) return null;
  const deletion = world.state.dataDeletions.get(request.url.searchParams.get("code") ?? "");
  if (deletion === undefined || isPastRetention("dataDeletion", deletion.requestedAt, world.now())) {
    return contentPage(404, "There is no deletion request with this code", html`<p>The request may be too old.</p>`);
  }
  const { connectionIds } = deletion;
  const left = connectionIds.filter((id) => world.state.connections.has(id)).length;
  const state = connectionIds.length === 0 ? "Nothing was stored." : left === 0 ? "Everything was erased." : "";
  const counts = html`<p>Erased accounts: ${connectionIds.length - left} of ${connectionIds.length}</p>`;
  return contentPage(200, "Deletion of your data", html`<p><strong>${state}</strong></p>${counts}`);
}
