import { SHOP } from "./clients.ts";
import { commandLine } from "./commandLine.ts";

export const SHOP_YAML = `slug: shop
displayName: Shop
webOrigins: [https://shop.example, https://old.example]
returnUrls: [https://shop.example/connected, https://old.example/connected]
`;
const CLUB_YAML = `slug: club
displayName: Club
webOrigins: [https://club.example]
returnUrls:
  - url: https://club.example/connected
    confirmedNoOnwardRedirect: true
providers: [PROVIDER_A]
capabilities: [PROFILE]
`;

/** A shell with the client `shop` at the service, and the declarations of it and of a new client as files. */
export function shell() {
  const parts = commandLine();
  parts.api.put(SHOP);
  parts.files.set("shop.yaml", SHOP_YAML);
  parts.files.set("club.yaml", CLUB_YAML);
  return parts;
}
