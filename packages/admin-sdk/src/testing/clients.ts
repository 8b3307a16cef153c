import { steppingClock } from "@social-connect/sdk-core/testing/steppingClock";
import type { AdminClient } from "../_generated/types.ts";
import { createAdmin } from "../createAdmin.ts";
import type { ClientDeclaration } from "../declaration/declaration.ts";
import type { AdminOptions } from "../wire/settings.ts";
import type { AdminWriter } from "../writer.ts";
import { FakeAdmin, HOST, KEY } from "./fakeAdmin.ts";

/** A WRITE client of a fake service, with a stepping clock and fixed jitter, so that delays can be asserted. */
export function fakeWriter(options: Partial<AdminOptions<"WRITE">> = {}) {
  const api = new FakeAdmin();
  const clock = steppingClock();
  const admin: AdminWriter = createAdmin({
    host: HOST,
    key: KEY,
    scope: "WRITE",
    fetch: api.fetch,
    clock,
    random: () => 0.5,
    ...options,
  });
  return { api, clock, admin };
}

export function fakeShop(options: Partial<AdminOptions<"WRITE">> = {}, shop = SHOP) {
  const parts = fakeWriter(options);
  parts.api.put(shop);
  return parts;
}

export const CLIENT_ID = "0197a5a0-0000-7000-8000-000000000001";

/** A client with at least one entry in every list. */
export const SHOP: Partial<AdminClient> & { readonly id: string; readonly slug: string } = {
  id: CLIENT_ID,
  slug: "shop",
  displayName: "The Shop",
  webOrigins: ["https://shop.example", "https://old.example"],
  returnUrls: ["https://shop.example/connected", "https://old.example/connected"],
  tenantKeys: ["acme", "globex"],
  providers: ["PROVIDER_A", "PROVIDER_B"],
  capabilities: ["PROFILE", "CONTENT_LIST"],
  previewReturnPaths: ["/connected"],
};

export const NEW_CLIENT = {
  slug: "club",
  displayName: "The Club",
  webOrigins: ["https://club.example"],
  returnUrls: ["https://club.example/connected"],
  tenantKeys: ["acme"],
  providers: ["PROVIDER_C"],
  capabilities: ["PROFILE"],
  confirmedNoOnwardRedirect: true,
} as const;

const { confirmedNoOnwardRedirect, ...club } = NEW_CLIENT;
/** The declaration of a client that does not exist yet. */
export const NEW_CLUB: ClientDeclaration = {
  ...club,
  returnUrls: NEW_CLIENT.returnUrls.map((url) => ({ url, confirmedNoOnwardRedirect })),
};
