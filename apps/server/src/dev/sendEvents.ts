import { SYSTEM } from "../modules/admin/actor.ts";
import { addEventEndpoint, changeEventEndpoint, listEventEndpoints } from "../modules/events/endpoints.ts";
import { openEventSecrets } from "../modules/events/eventSecret.ts";
import { operateDev } from "./operateDev.ts";
import { DEMO_APPLICATION } from "./seedData.ts";

/**
 * Sends the events of the first client to a URL of this machine, which an earlier start may have added. Returns the secret that
 * signs them.
 */
export async function sendEvents(databaseUrl: string, encryptionKeys: string, url: string): Promise<string> {
  return operateDev(
    databaseUrl,
    async (service) => {
      const { slug } = DEMO_APPLICATION;
      const { id } = await service.prisma.application.findUniqueOrThrow({ where: { slug }, select: { id: true } });
      const found = (await listEventEndpoints(service, id)).find((endpoint) => endpoint.url === url);
      if (found === undefined) {
        const { secret } = await addEventEndpoint(service, SYSTEM, id, { url, types: [] });
        return secret.reveal();
      }
      await changeEventEndpoint(service, SYSTEM, found.id, { enabled: true });
      const [secret] = openEventSecrets(service.secretBox, found, await service.clock.now());
      if (secret === undefined) throw new Error("The event endpoint has no secret.");
      return secret.reveal();
    },
    encryptionKeys,
  );
}
