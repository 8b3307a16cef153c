import type { AdminClient } from "../../../packages/conformance/src/_generated/adminWire.ts";
import { adminDocumentOf } from "../../../packages/conformance/src/wire/documents.ts";
import { SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import { type Actor, newest, shown } from "./actor.ts";
import { type AdminArguments, type AdminReference, isReference, type StepOf } from "./steps.ts";

/** What a step does on the admin side with a key. */
export async function callWithKey(actor: Actor, { args, key, n, operation }: StepOf<"admin">): Promise<unknown> {
  const { readKey, writeKey } = actor.admin;
  const text =
    typeof key === "number"
      ? actor.adminKeys.get(key)?.key
      : { write: writeKey, read: readKey, wrong: `${writeKey.slice(0, -8)}00000000` }[key];
  const variables = await variablesOf(actor, args);
  if (text === undefined || variables === null) return null;
  const answer = shown(await actor.adminCaller(text).graphql(adminDocumentOf(operation), variables));
  const client = (answer.body as { data?: { createClient?: AdminClient | null } }).data?.createClient;
  if (client) keepApplication(actor, n, client, "");
  return answer;
}

export async function runInPanel(actor: Actor, { args, n, operation, person }: StepOf<"panel">): Promise<unknown> {
  const panel = await actor.panel(person);
  if (panel === null) return { isLetIn: false };
  const variables = await variablesOf(actor, args);
  if (variables === null) return null;
  const answer = await panel.run(adminDocumentOf(operation), variables);
  const value = answer.data?.[operation] as Made | null | undefined;
  if (value?.apiKey && value.key) actor.adminKeys.set(n, { id: value.apiKey.id, key: value.key });
  if (value?.credential) actor.applicationKeys.set(n, { keyId: value.credential.keyId, application: variables["id"] });
  if (operation === "addAdminMember" && value?.id) actor.members.set(n, value.id);
  return answer;
}

interface Made {
  readonly id?: string;
  readonly key?: string;
  readonly apiKey?: { readonly id: string };
  readonly credential?: { readonly keyId: string };
}

/** A client with everything switched on, and the key that its backend calls with. */
export async function createApplication(actor: Actor, { n }: StepOf<"createApplication">): Promise<unknown> {
  const slug = `differential-${n}`;
  const origin = `https://${slug}.example.test`;
  const input = {
    slug,
    displayName: `Application ${n}`,
    webOrigins: [origin],
    returnUrls: [`${origin}/return`, `${origin}/other-return?kept=1`],
    tenantKeys: ["tenant-one", "tenant-two"],
    providers: SOCIAL_PROVIDERS,
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"],
    confirmedNoOnwardRedirect: true,
  };
  const created = await actor.adminCaller(actor.admin.writeKey).graphql(adminDocumentOf("createClient"), { input });
  const client = created.body?.data?.["createClient"] as AdminClient | undefined;
  const panel = await actor.panel("admin");
  if (!client || panel === null) return shown(created);
  const identity = await panel.run(adminDocumentOf("setClientIdpIdentity"), {
    id: client.id,
    enabled: true,
    returnUrls: [`${origin}/identity-return`],
  });
  const issued = await panel.run(adminDocumentOf("issueClientCredential"), { id: client.id });
  const { key = "" } = (issued.data?.["issueClientCredential"] ?? {}) as Made;
  keepApplication(actor, n, client, key);
  return { created: shown(created), identity, issued };
}

function keepApplication(actor: Actor, n: number, { id, slug }: AdminClient, key: string): void {
  actor.apps.set(n, { n, id, slug, key, origin: `https://${slug}.example.test` });
}

/** The arguments with each side's own ids in them; null when one refers to what was never made. */
async function variablesOf(actor: Actor, args: AdminArguments): Promise<Record<string, unknown> | null> {
  const variables: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) {
    const read = isReference(value) ? await resolve(actor, value) : value;
    if (read === undefined) return null;
    variables[name] = read;
  }
  return variables;
}

async function resolve(actor: Actor, value: AdminReference): Promise<unknown> {
  switch (value.is) {
    case "application":
      return actor.idOf(value.of, actor.apps) ?? undefined;
    case "adminKey":
      return newest(actor.adminKeys.values(), value.newest)?.id;
    case "newestAdminKeyId":
      return newest(actor.adminKeys.values(), 0)?.id ?? keyIdOf(actor.admin.writeKey);
    case "member":
      return newest(actor.members.values(), value.newest);
    case "applicationKey":
      return newest(actor.applicationKeys.values(), value.newest)?.keyId;
    case "keyApplication":
      return newest(actor.applicationKeys.values(), value.newest)?.application;
    case "registration":
      return actor.registration(value.provider);
    case "accountId":
      return actor.side.provider.accountId(value.provider, value.account);
    case "registrationInput":
      return registrationInput(actor, value);
  }
}

/** The current registration with other capabilities. */
async function registrationInput(
  actor: Actor,
  { capabilities, provider }: Extract<AdminReference, { is: "registrationInput" }>,
): Promise<unknown> {
  const panel = await actor.panel("admin");
  const id = await actor.registration(provider);
  const answer = await panel?.run(adminDocumentOf("registrationDetail"), { id });
  const detail = answer?.data?.["registrationDetail"] as Record<string, unknown> | null | undefined;
  if (!detail) return undefined;
  const { addresses, clientId, clientIds, scopes } = detail;
  return { addresses, clientId, clientIds, scopes, capabilities };
}

function keyIdOf(key: string): string {
  return key.slice(key.indexOf("_") + 1, key.indexOf("."));
}
