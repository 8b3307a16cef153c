import type { ClientChangeInput, ClientChangeName } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import { SYSTEM } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import { changeClient } from "./changeClient.ts";
import type { ClientEntries } from "./clientEntries.ts";

type Change = <Name extends ClientChangeName>(name: Name, input: ClientChangeInput<Name>) => Promise<Application>;

/** Registers what the client does not have yet, with the rules and the audit entries of the admin API. */
export async function addClientEntries(service: Service, slug: string, entries: ClientEntries): Promise<Application> {
  let client = await service.prisma.application.findUniqueOrThrow({ where: { slug } });
  const change = changesOf(service, client.id);
  const missing = (wanted: readonly string[], present: readonly string[]) =>
    [...new Set(wanted)].filter((entry) => !present.includes(entry));
  for (const origin of missing(entries.origins, client.webOrigins)) {
    client = await change("addClientOrigin", { origin });
  }
  for (const url of missing(entries.returnUrls, client.returnUrls)) {
    client = await change("addClientReturnUrl", { url, confirmedNoOnwardRedirect: true });
  }
  for (const tenantKey of missing(entries.tenantKeys, client.tenantKeys)) {
    client = await change("addClientTenantKey", { tenantKey });
  }
  const added = missing(entries.identityReturnUrls, client.identityReturnUrls);
  if (added.length === 0) return client;
  return change("setClientIdpIdentity", { enabled: true, returnUrls: [...client.identityReturnUrls, ...added] });
}

/** Removes entries, return URLs first, because an origin in use cannot be removed. An unknown entry is an error. */
export async function removeClientEntries(
  service: Service,
  slug: string,
  entries: ClientEntries,
): Promise<Application> {
  let client = await service.prisma.application.findUniqueOrThrow({ where: { slug } });
  const change = changesOf(service, client.id);
  for (const url of entries.returnUrls) client = await change("removeClientReturnUrl", { url });
  if (entries.identityReturnUrls.length > 0) {
    const returnUrls = client.identityReturnUrls.filter((url) => !entries.identityReturnUrls.includes(url));
    client = await change("setClientIdpIdentity", { enabled: returnUrls.length > 0, returnUrls });
  }
  for (const origin of entries.origins) client = await change("removeClientOrigin", { origin });
  for (const tenantKey of entries.tenantKeys) client = await change("removeClientTenantKey", { tenantKey });
  return client;
}

function changesOf(service: Service, id: string): Change {
  return (name, input) => changeClient(service, SYSTEM, id, name, input);
}
