import {
  type AdminClient,
  createAdmin,
  NotFoundError,
  SocialConnectError,
  type WriteResult,
} from "@social-connect/admin-sdk";
import { ensure, type Service } from "./service.ts";

export async function use({ url, adminKey }: Service): Promise<void> {
  const reader = createAdmin({ host: url, key: adminKey, scope: "READ" });
  const clients: AdminClient[] = [];
  for await (const client of reader.clients()) clients.push(client);
  const [client] = clients;
  ensure(client?.slug === "demo-app", "the client is listed");
  ensure((await reader.client(client.id)).enabled, "and can be read");
  // @ts-expect-error a key of READ has no method that writes
  ensure(reader.setClientEnabled === undefined, "not even for a program without types");

  const writer = createAdmin({ host: url, key: adminKey, scope: "WRITE" });
  const result: WriteResult = await writer.setClientEnabled(client.id, true);
  ensure(result.outcome === "already", "what is so already is not written again");
  // @ts-expect-error what only the panel may do has no method
  ensure(writer.mintApiKey === undefined, "for nobody");

  const failure: unknown = await reader.client("no-such").catch((error: unknown) => error);
  ensure(SocialConnectError.is(failure) && NotFoundError.is(failure), "an error has its class");
  ensure(!JSON.stringify(failure).includes(adminKey), "and never the key");
}
