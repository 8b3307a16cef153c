import { EVENT_LIMITS, EVENT_TYPE_NAMES } from "@social-connect/contract";
import { aboutClient } from "../audit/about.ts";
import type { AuditAction } from "../audit/auditActions.ts";
import { type AuditChange, changesOf, SECRET_CHANGED, SECRET_SET } from "../audit/changes.ts";
import type { Client, Mode } from "../clients/client.ts";
import { originRules } from "../clients/client.ts";
import { checkDistinct } from "../clients/clientRules.ts";
import { auditedChange } from "../decisions/change.ts";
import { type AdminRefusal, conflict, invalidField, notFound } from "../decisions/refusal.ts";
import { addMs } from "../time/time.ts";
import { addressProblem } from "../urls/address.ts";
import { receiverAddressProblem } from "./receiverAddress.ts";

/** Why an endpoint is off: its receiver answered 410, it failed for days, or an admin turned it off. */
export type EndpointOffReason = "GONE" | "FAILING" | "BY_ADMIN";

/** The columns of an endpoint that an admin sees. */
export interface EventEndpointState {
  readonly id: string;
  readonly url: string;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly enabled: boolean;
}

type Owner = Pick<Client, "id" | "slug">;

export interface EndpointFacts {
  readonly client: Owner;
  /** All endpoints of the client. */
  readonly endpoints: readonly EventEndpointState[];
  readonly mode: Mode;
}

/** The types that an endpoint can receive. A test event goes to any. */
export const SELECTABLE_EVENT_TYPES = EVENT_TYPE_NAMES.filter((type) => type !== "test");

/** BAD_USER_INPUT unless the service may send events to the URL. The delivery checks the addresses of a name. */
export function checkEndpointUrl(url: string, mode: Mode): AdminRefusal | null {
  const problem =
    addressProblem(url, originRules(mode)) ?? receiverAddressProblem(url, { allowLoopback: mode === "sandbox" });
  return problem === null ? null : invalidField("url", problem);
}

export function checkEndpointTypes(types: readonly string[]): AdminRefusal | null {
  const known: readonly string[] = SELECTABLE_EVENT_TYPES;
  if (types.every((type) => known.includes(type))) return checkDistinct("types", types);
  return invalidField("types", "`types` has a type of event that does not exist.");
}

/** Standard Webhooks allows 24 to 64 bytes. */
const SECRET_BYTES = { least: 24, most: 64 };
const SECRET = /^whsec_(?<base64>(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

/** BAD_USER_INPUT unless a secret that the caller brings can sign events. */
export function checkEventSecret(secret: string): AdminRefusal | null {
  const base64 = SECRET.exec(secret)?.groups?.["base64"] ?? "";
  const bytes = Math.floor((base64.replaceAll("=", "").length * 3) / 4);
  if (bytes >= SECRET_BYTES.least && bytes <= SECRET_BYTES.most) return null;
  const { least, most } = SECRET_BYTES;
  return invalidField("secret", `A secret is whsec_ and the base64 of ${least} to ${most} random bytes.`);
}

/** What a secret is compared by without showing it: a part of its HMAC. */
export async function eventSecretFingerprint(secret: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode("social-connect event secret")));
  return Array.from(mac.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const ENDPOINT_NOT_FOUND = notFound("The event endpoint");
export const ENDPOINT_OFF = conflict(null, "The event endpoint is off. Turn it on first.");

/** Adds an endpoint to a client, which has two at most: one to move from and one to move to. */
export function decideAddEndpoint(
  { client, endpoints, mode }: EndpointFacts,
  { id, url, types }: Omit<EventEndpointState, "enabled">,
  now: Date,
) {
  const refusal = checkEndpointUrl(url, mode) ?? checkEndpointTypes(types) ?? checkOther(endpoints, url);
  if (refusal !== null) return refusal;
  const limit = EVENT_LIMITS.endpointsPerApplication;
  if (endpoints.length >= limit)
    return conflict(null, `The client has ${limit} event endpoints already. Remove one first.`);
  const patch = { id, applicationId: client.id, url, types: [...types], enabled: true, createdAt: now, updatedAt: now };
  const added = changesOf(null, { ...shownEndpoint(patch), secret: SECRET_SET });
  return auditedChange(patch, endpointAudit(client, patch, "Event endpoint added", added));
}

function checkOther(endpoints: readonly EventEndpointState[], url: string): AdminRefusal | null {
  if (endpoints.every((other) => other.url !== url)) return null;
  return conflict("ALREADY_PRESENT", "The client has an event endpoint with this URL already.");
}

export interface EndpointInput {
  readonly url?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly enabled?: boolean | null | undefined;
}

/** Changes what is given. null when the endpoint has these values already. Turning it on sends nothing from before. */
export function decideChangeEndpoint(
  { client, endpoints, mode }: EndpointFacts,
  endpoint: EventEndpointState,
  { url, types, enabled }: EndpointInput,
  now: Date,
) {
  const newUrl = url == null || url === endpoint.url ? null : url;
  const newTypes = types == null || isSameSet(types, endpoint.types) ? null : types;
  const newEnabled = enabled == null || enabled === endpoint.enabled ? null : enabled;
  const refusal =
    (newUrl === null ? null : (checkEndpointUrl(newUrl, mode) ?? checkOther(endpoints, newUrl))) ??
    (newTypes === null ? null : checkEndpointTypes(newTypes));
  if (refusal !== null) return refusal;
  if (newUrl === null && newTypes === null && newEnabled === null) return null;
  const patch = {
    ...(newUrl !== null && { url: newUrl, failingSince: null }),
    ...(newTypes !== null && { types: [...newTypes] }),
    ...(newEnabled === true && { enabled: true, turnedOffReason: null, turnedOffAt: null, failingSince: null }),
    ...(newEnabled === false && turnedOff("BY_ADMIN", now)),
    updatedAt: now,
  };
  const isSwitched = newUrl === null && newTypes === null;
  const switched = newEnabled === true ? "Event endpoint turned on" : "Event endpoint turned off";
  const action = isSwitched ? switched : "Event endpoint changed";
  const changed = { ...endpoint, ...patch };
  return auditedChange(patch, endpointAudit(client, changed, action, endpointChanges(endpoint, changed)));
}

function isSameSet(types: readonly string[], others: readonly string[]): boolean {
  return types.length === others.length && types.every((type) => others.includes(type));
}

/** The columns of an endpoint that is turned off; its waiting deliveries end too. */
export function turnedOff(reason: EndpointOffReason, now: Date) {
  return { enabled: false, turnedOffReason: reason, turnedOffAt: now } as const;
}

/** Until when the secret before a rotation also signs. */
export function previousSecretEnd(now: Date): Date {
  return addMs(now, EVENT_LIMITS.previousSecretHours * 3_600_000);
}

const VERBS = {
  "Event endpoint added": "Added the event endpoint",
  "Event endpoint changed": "Changed the event endpoint",
  "Event endpoint turned on": "Turned on the event endpoint",
  "Event endpoint turned off": "Turned off the event endpoint",
  "Event secret rotated": "Replaced the secret of the event endpoint",
  "Event endpoint removed": "Removed the event endpoint",
  "Test event sent": "Sent a test event to the event endpoint",
} as const satisfies Partial<Record<AuditAction, string>>;

/** Its path can be a secret. */
function shownEndpoint({ url, types, enabled }: EventEndpointState) {
  return { origin: new URL(url).origin, path: SECRET_SET, types: types.length === 0 ? ["all"] : types, enabled };
}

/** The changes of an endpoint for the audit log; `after` is null when it is removed. */
export function endpointChanges(before: EventEndpointState, after: EventEndpointState | null): readonly AuditChange[] {
  const path = after?.url === before.url ? SECRET_SET : SECRET_CHANGED;
  return changesOf(shownEndpoint(before), after && { ...shownEndpoint(after), path });
}

export const SECRET_ROTATED = changesOf({ secret: SECRET_SET }, { secret: SECRET_CHANGED });

/** Names the endpoint by id and origin: its path can be a secret. */
export function endpointAudit(
  client: Owner,
  { id, url }: Pick<EventEndpointState, "id" | "url">,
  action: keyof typeof VERBS,
  changes: readonly AuditChange[],
  reason: EndpointOffReason | null = null,
) {
  const because = reason === null ? "" : ` (${reason})`;
  return aboutClient(client, action, `${VERBS[action]} ${id} at ${new URL(url).origin}${because}.`, changes);
}
