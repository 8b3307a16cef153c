import { accepted, checkEventSecret, eventSecretFingerprint, invalidField, notFound } from "@social-connect/domain";
import type { EventEndpoint } from "../../_generated/prisma/client.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { AdminActor } from "../admin/actor.ts";
import type { Service } from "../service.ts";
import {
  addIn,
  changeEndpoints,
  changeIn,
  findEndpoints,
  listEventEndpoints,
  removeIn,
  rotateIn,
} from "./endpoints.ts";
import { openEventSecrets } from "./eventSecret.ts";

/** An endpoint as a pipeline declares it. */
export interface EndpointEntry {
  readonly url: string;
  readonly types: readonly string[];
  /** null: the endpoint keeps its secret. A new endpoint needs one. */
  readonly secret: Secret | null;
}

/** An endpoint as a pipeline sees it. */
export interface DeclaredEndpoint extends Pick<EventEndpoint, "url" | "types" | "enabled"> {
  readonly secretFingerprint: string;
}

/** The endpoints of the client of a slug. */
export async function readDeclaredEndpoints(service: Service, slug: string): Promise<DeclaredEndpoint[]> {
  const endpoints = await listEventEndpoints(service, await idOf(service, slug));
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const { url, types, enabled } = endpoint;
      return { url, types, enabled, secretFingerprint: await fingerprintOf(service, endpoint) };
    }),
  );
}

/** Makes the endpoints of a client those of a complete list, all or none. An endpoint is recognized by its URL. */
export async function setDeclaredEndpoints(
  service: Service,
  actor: AdminActor,
  slug: string,
  wanted: readonly EndpointEntry[],
): Promise<DeclaredEndpoint[]> {
  for (const { secret } of wanted) accepted(secret === null ? null : checkEventSecret(secret.reveal()));
  const applicationId = await idOf(service, slug);
  await changeEndpoints(service, actor, applicationId, async (change) => {
    for (const endpoint of await findEndpoints(change.transaction, applicationId))
      if (!wanted.some(({ url }) => url === endpoint.url)) await removeIn(change, endpoint);
    for (const { url, types, secret } of wanted) {
      const endpoint = await change.transaction.eventEndpoint.findFirst({ where: { applicationId, url } });
      if (endpoint === null) {
        await addIn(change, { url, types }, secret ?? accepted(NEEDS_SECRET));
        continue;
      }
      await changeIn(change, endpoint, { types });
      if (secret !== null && (await fingerprintOf(service, endpoint)) !== (await fingerprint(secret)))
        await rotateIn(change, endpoint, secret);
    }
  });
  return readDeclaredEndpoints(service, slug);
}

const NEEDS_SECRET = invalidField("secret", "A new event endpoint needs a secret.");

async function idOf({ prisma }: Service, slug: string): Promise<string> {
  const client = await prisma.application.findUnique({ where: { slug }, select: { id: true } });
  return accepted(client ?? notFound("The client")).id;
}

function fingerprintOf({ secretBox }: Service, endpoint: EventEndpoint): Promise<string> {
  const [secret] = openEventSecrets(secretBox, { ...endpoint, previousSecretSealed: null }, endpoint.createdAt);
  return fingerprint(secret ?? new Secret(""));
}

const fingerprint = (secret: Secret) => eventSecretFingerprint(secret.reveal());
