import type { CallOptions } from "@social-connect/sdk-core";
import type { AdminClient, CreateClientInput } from "../_generated/types.ts";
import type { CheckedDeclaration } from "../declaration/checkDeclaration.ts";
import { checkDeclaration, problemIn } from "../declaration/checkDeclaration.ts";
import type { ClientDeclaration } from "../declaration/declaration.ts";
import { DeclarationError, type DeclarationProblem } from "../declaration/declarationError.ts";
import { exchange } from "../wire/call.ts";
import { findClient } from "../wire/reads.ts";
import type { Settings } from "../wire/settings.ts";
import { type EventSecrets, endpointSteps, secretProblems } from "./eventEndpoints.ts";
import { makeSteps } from "./makeSteps.ts";
import { originOf } from "./orderAddresses.ts";
import { type ClientPlan, PLAN_FORMAT } from "./plan.ts";
import { type CreateStep, createdBy } from "./steps.ts";

/** Options of `plan`. */
export interface PlanOptions extends CallOptions {
  /** The secrets of event endpoints, by the names in `secretFrom`. A secret that is not given is not compared. */
  readonly eventSecrets?: EventSecrets | undefined;
}

/** Reads the client and compares it with the declaration. */
export async function planClient(
  settings: Settings,
  declaration: ClientDeclaration,
  { eventSecrets: secrets = {}, ...options }: PlanOptions = {},
): Promise<ClientPlan> {
  const declared = checkDeclaration(declaration);
  const client = await findClient(settings, declared.slug, options);
  const problems = [
    ...(client === undefined ? missingFields(declaration, declared) : []),
    ...unconfirmed(declaration, declared, client),
    ...strayUrls(declaration, declared, client),
    ...secretProblems(declaration, declared, secrets),
    ...(await refusedHttp(settings, declaration, { declared, client, options })),
  ];
  if (problems.length > 0) throw new DeclarationError(problems);
  const { slug } = declared;
  const endpoints = await endpointSteps(settings, declared, { isNew: client === undefined, secrets, options });
  if (client !== undefined) {
    const { steps, obstacles } = makeSteps(client, declared);
    return { format: PLAN_FORMAT, slug, client, steps: [...steps, ...endpoints], obstacles };
  }
  const create = createStep(declared);
  const { steps, obstacles } = makeSteps(createdBy(create), declared);
  return { format: PLAN_FORMAT, slug, client: null, steps: [create, ...steps, ...endpoints], obstacles };
}

/** Leaves room for the rest of the body, which the service limits to 64 KiB. */
const LONGEST_INPUT_BYTES = 48 * 1024;

/** Values that do not fit into one request become separate steps: first the tenants, then all addresses but one. */
function createStep({ slug, ...declared }: CheckedDeclaration): CreateStep {
  const whole: CreateClientInput = {
    slug,
    displayName: declared.displayName ?? slug,
    webOrigins: declared.webOrigins ?? [],
    returnUrls: declared.returnUrls?.map(({ url }) => url) ?? [],
    tenantKeys: declared.tenantKeys ?? [],
    providers: declared.providers ?? [],
    capabilities: declared.capabilities ?? [],
    confirmedNoOnwardRedirect: true,
  };
  const withoutTenants = { ...whole, tenantKeys: [] };
  const returnUrls = whole.returnUrls.slice(0, 1);
  const least = { ...withoutTenants, returnUrls, webOrigins: returnUrls.map(originOf) };
  const input = [whole, withoutTenants].find((candidate) => byteLength(candidate) <= LONGEST_INPUT_BYTES) ?? least;
  return { operation: "createClient", input, destructive: false };
}

function byteLength(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).byteLength;
}

const NEEDED_TO_CREATE = ["displayName", "webOrigins", "returnUrls", "providers", "capabilities"] as const;

function missingFields(declaration: ClientDeclaration, declared: CheckedDeclaration): DeclarationProblem[] {
  return NEEDED_TO_CREATE.filter((field) => declared[field] === undefined).map((field) =>
    problemIn(declaration, [field], "required to create the client: no client has this slug"),
  );
}

/** New http addresses, which a service in live mode refuses, on loopback hosts too. */
async function refusedHttp(
  settings: Settings,
  declaration: ClientDeclaration,
  { declared, client, options }: Planning,
): Promise<DeclarationProblem[]> {
  const addresses = [
    ...(declared.webOrigins ?? []).map((address, index) => ({ address, path: ["webOrigins", index] })),
    ...(declared.returnUrls ?? []).map(({ url: address }, index) => ({ address, path: ["returnUrls", index] })),
  ];
  const existing = [...(client?.webOrigins ?? []), ...(client?.returnUrls ?? [])];
  const added = addresses.filter(({ address }) => address.startsWith("http:") && !existing.includes(address));
  if (added.length === 0) return [];
  const { data } = await exchange(settings, "previewTemplate", {}, options);
  const message = "must be https: the service is in live mode, which accepts no http address, also on a loopback host";
  return data.allowsLoopbackHttp ? [] : added.map(({ path }) => problemIn(declaration, path, message));
}

interface Planning {
  readonly declared: CheckedDeclaration;
  readonly client: AdminClient | undefined;
  readonly options: CallOptions | undefined;
}

/** Each new return URL needs its own confirmation in the declaration. */
function unconfirmed(
  declaration: ClientDeclaration,
  declared: CheckedDeclaration,
  client: AdminClient | undefined,
): DeclarationProblem[] {
  return (declared.returnUrls ?? []).flatMap(({ url, confirmedNoOnwardRedirect }, index) => {
    if (confirmedNoOnwardRedirect || client?.returnUrls.includes(url)) return [];
    const message =
      "is new and must be confirmed: check that its route never redirects onward to an address taken from the request, then write it as url with confirmedNoOnwardRedirect: true";
    return [problemIn(declaration, ["returnUrls", index], message)];
  });
}

/** Every return URL of the client uses one of its declared or current origins. */
function strayUrls(
  declaration: ClientDeclaration,
  declared: CheckedDeclaration,
  client: AdminClient | undefined,
): DeclarationProblem[] {
  const origins = declared.webOrigins ?? client?.webOrigins ?? [];
  if (declared.returnUrls === undefined) {
    const stray = client?.returnUrls.some((url) => !origins.includes(originOf(url))) ?? false;
    const message = "omits an origin that a return URL of the client uses: also declare the returnUrls";
    return stray ? [problemIn(declaration, ["webOrigins"], message)] : [];
  }
  return declared.returnUrls.flatMap(({ url }, index) =>
    origins.includes(originOf(url))
      ? []
      : [problemIn(declaration, ["returnUrls", index], "uses none of the client's origins")],
  );
}
