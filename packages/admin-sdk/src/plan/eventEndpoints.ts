import { checkEventSecret, eventSecretFingerprint } from "@social-connect/domain";
import { type CallOptions, ConfigurationError, SocialConnectError } from "@social-connect/sdk-core";
import type { AdminClient } from "../_generated/types.ts";
import { type CheckedDeclaration, problemIn } from "../declaration/checkDeclaration.ts";
import type { ClientDeclaration } from "../declaration/declaration.ts";
import type { DeclarationProblem } from "../declaration/declarationError.ts";
import { callEventEndpoints, type EventEndpoint } from "../wire/eventEndpoints.ts";
import { surelyDidNothing } from "../wire/retryRules.ts";
import type { Settings } from "../wire/settings.ts";
import { isSameSet } from "../writes/clientChange.ts";
import type { WriteResult } from "../writes/outcome.ts";
import {
  type ClientPlan,
  type DescribedEndpoint,
  type EndpointsStep,
  type PlannedEndpoint,
  removedFrom,
} from "./plan.ts";
import { StalePlanError } from "./planErrors.ts";

/** Secrets by the names in declarations, such as the environment. */
export type EventSecrets = Readonly<Record<string, string | undefined>>;

/** Secrets that cannot sign events. */
export function secretProblems(
  declaration: ClientDeclaration,
  { eventEndpoints = [] }: CheckedDeclaration,
  secrets: EventSecrets,
): DeclarationProblem[] {
  return eventEndpoints.flatMap(({ secretFrom }, index) => {
    const secret = secrets[secretFrom];
    const refusal = secret === undefined ? null : checkEventSecret(secret);
    return refusal === null
      ? []
      : [problemIn(declaration, ["eventEndpoints", index, "secretFrom"], `names a wrong value. ${refusal.message}`)];
  });
}

/** The step to the declared endpoints, if there is a difference. */
export async function endpointSteps(
  settings: Settings,
  { slug, eventEndpoints }: CheckedDeclaration,
  { isNew, secrets, options }: { isNew: boolean; secrets: EventSecrets; options: CallOptions | undefined },
): Promise<EndpointsStep[]> {
  if (eventEndpoints === undefined) return [];
  const current = isNew ? [] : await callEventEndpoints(settings, slug, undefined, options);
  const endpoints = eventEndpoints.map(({ url, types = [], secretFrom }) => ({ url, types, secretFrom }));
  return stepsTo(endpoints, current, secrets);
}

/** A secret that is not given is not compared. */
async function stepsTo(
  endpoints: readonly PlannedEndpoint[],
  current: readonly EventEndpoint[],
  secrets: EventSecrets,
): Promise<EndpointsStep[]> {
  const newSecrets: string[] = [];
  for (const { url, secretFrom } of endpoints) {
    const found = current.find((one) => one.url === url);
    const secret = secrets[secretFrom];
    if (found === undefined || secret === undefined) continue;
    if ((await eventSecretFingerprint(secret)) !== found.secretFingerprint) newSecrets.push(url);
  }
  if (newSecrets.length === 0 && isSameList(endpoints, current)) return [];
  const before = current.map(({ url, types }) => ({ url, types }));
  const destructive = removedFrom(before, endpoints).length > 0;
  return [{ operation: "setEventEndpoints", endpoints, before, newSecrets, destructive }];
}

function isSameList(left: readonly DescribedEndpoint[], right: readonly DescribedEndpoint[]): boolean {
  const has = ({ url, types }: DescribedEndpoint) =>
    right.some((one) => one.url === url && isSameSet(one.types, types));
  return left.length === right.length && left.every(has);
}

function setsSecret({ before, newSecrets }: EndpointsStep, url: string): boolean {
  return newSecrets.includes(url) || !before.some((one) => one.url === url);
}

/** Throws before anything is changed if a plan needs a secret that is not given. */
export function requireSecrets({ steps }: ClientPlan, secrets: EventSecrets): void {
  for (const step of steps) {
    if (step.operation !== "setEventEndpoints") continue;
    const missing = step.endpoints.find((one) => setsSecret(step, one.url) && secrets[one.secretFrom] === undefined);
    if (missing === undefined) continue;
    throw new ConfigurationError(
      `The secret ${missing.secretFrom} of an event endpoint is not given. Set the variable, or pass it in eventSecrets.`,
    );
  }
}

/** Applies the step, if the endpoints are still those of the plan. */
export async function setEndpoints(
  settings: Settings,
  client: AdminClient,
  step: EndpointsStep,
  secrets: EventSecrets,
  options: CallOptions,
): Promise<WriteResult> {
  const current = await callEventEndpoints(settings, client.slug, undefined, options);
  if (!isSameList(current, step.before)) {
    const isDone = (await stepsTo(step.endpoints, current, secrets)).length === 0;
    if (isDone) return { outcome: "already", client };
    throw new StalePlanError();
  }
  const input = step.endpoints.map(({ url, types, secretFrom }) => {
    return { url, types, ...(setsSecret(step, url) && { secret: secrets[secretFrom] }) };
  });
  try {
    await callEventEndpoints(settings, client.slug, input, options);
    return { outcome: "applied", client };
  } catch (error) {
    if (!(error instanceof SocialConnectError) || surelyDidNothing(error)) throw error;
    return { outcome: "unknown", client, error };
  }
}
