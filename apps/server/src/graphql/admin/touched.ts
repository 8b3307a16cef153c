import { inputSchema, TOUCHED_KINDS, type Touched, type TouchedKind, touchedOf } from "@social-connect/domain";
import type { AuditEntry } from "../../_generated/prisma/client.ts";
import { measureRemoval } from "../../modules/admins/admins.ts";
import { changesOfEntry, readNewestEntry } from "../../modules/audit/listAuditEntries.ts";
import { planClientChange } from "../../modules/clients/changeClient.ts";
import { measureTester } from "../../modules/clients/testers.ts";
import { measureEndpointOf } from "../../modules/events/endpoints.ts";
import { planResend } from "../../modules/events/resendEvents.ts";
import { measureStop, measureUnserved } from "../../modules/registrations/registrationParts.ts";
import type { Service } from "../../modules/service.ts";
import { asUuid } from "../../platform/uuid.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { Capability, SocialProvider } from "./enums.ts";

const TouchedKindRef = builder.enumType("TouchedKind", {
  description: "What an action affects.",
  values: TOUCHED_KINDS,
});

export const TouchedCount = builder.objectRef<readonly [TouchedKind, number]>("TouchedCount").implement({
  description: "How much of a kind an action affects.",
  fields: (t) => ({
    kind: t.field({ type: TouchedKindRef, resolve: ([kind]) => kind }),
    count: t.int({ resolve: ([, count]) => count }),
  }),
});

/** The kinds that an action can affect, in their order. */
export function touchedCounts(touched: Touched): [TouchedKind, number][] {
  return TOUCHED_KINDS.flatMap((kind) => (touched[kind] === undefined ? [] : [[kind, touched[kind]]]));
}

const LastTouch = builder.objectRef<{ readonly entry: AuditEntry | null }>("LastTouch").implement({
  description: "What an admin's newest change of an object affected.",
  fields: (t) => ({
    entryId: t.id({
      description: "The audit entry of the change; null without one. A change that has no effect has no entry.",
      nullable: true,
      resolve: ({ entry }) => entry?.id ?? null,
    }),
    counts: t.field({
      type: [TouchedCount],
      resolve: ({ entry }) => touchedCounts(touchedOf(changesOfEntry(entry) ?? [])),
    }),
  }),
});

interface Planned {
  readonly id: string;
  readonly value: string;
  readonly provider: typeof SocialProvider.$inferType | null;
  readonly providers: readonly (typeof SocialProvider.$inferType)[];
  readonly capabilities: readonly (typeof Capability.$inferType)[];
  readonly returnUrls: readonly string[];
  /** null: all. */
  readonly clientIds: readonly string[] | null;
  readonly since: Date | null;
  readonly failedOnly: boolean;
}

/** The actions that take something away or send it again, except those for one user, whose pages count themselves. */
const PLANS = {
  DISABLE_CLIENT: (service, { id }) => planClientChange(service, id, "setClientEnabled", { enabled: false }),
  CHANGE_POLICY: (service, { id, providers, capabilities }) =>
    planClientChange(service, id, "setClientPolicy", { providers, capabilities }),
  REMOVE_TENANT_KEY: (service, { id, value }) =>
    planClientChange(service, id, "removeClientTenantKey", { tenantKey: value }),
  REMOVE_ORIGIN: (service, { id, value }) => planClientChange(service, id, "removeClientOrigin", { origin: value }),
  REMOVE_RETURN_URL: (service, { id, value }) => planClientChange(service, id, "removeClientReturnUrl", { url: value }),
  REMOVE_PREVIEW_RETURN_PATH: (service, { id, value }) =>
    planClientChange(service, id, "removeClientPreviewReturnPath", { path: value }),
  CHANGE_IDENTITY_RETURN_URLS: async (service, { id, returnUrls }) =>
    planClientChange(service, id, "setClientIdpIdentity", { enabled: returnUrls.length > 0, returnUrls }),
  REMOVE_TESTER: async ({ prisma }, { id, provider, value }) =>
    provider === null ? {} : measureTester(prisma, { applicationId: id, provider, providerAccountId: value }),
  REMOVE_EVENT_ENDPOINT: (service, { id }) => measureEndpointOf(service, id),
  REMOVE_ADMIN: async ({ prisma, clock }, { id }) => measureRemoval(prisma, id, await clock.now()),
  STOP_REGISTRATION: ({ prisma }, { id }) => measureStop(prisma, id),
  CHANGE_REGISTRATION_CLIENTS: ({ prisma }, { id, clientIds }) => measureUnserved(prisma, id, clientIds),
  RESEND_EVENTS: async (service, { id, since, failedOnly }) =>
    since === null ? {} : planResend(service, id, { since, failedOnly }),
} satisfies Record<string, (service: Service, planned: Planned) => Promise<Touched>>;

const TouchingAction = builder.enumType("TouchingAction", {
  description: "An action of the panel that takes something away or sends it again.",
  values: Object.keys(PLANS) as (keyof typeof PLANS)[],
});

builder.queryFields((t) => ({
  plannedTouch: t.field({
    type: [TouchedCount],
    description: "What an action would affect now. Nothing changes.",
    args: {
      action: t.arg({ type: TouchingAction, required: true }),
      id: t.arg.id({ required: true, description: "The id of the client, admin, registration or event endpoint." }),
      value: t.arg.string({ description: "What is removed: an entry of a list of the client, or an account's id." }),
      provider: t.arg({ type: SocialProvider, description: "The provider of the account." }),
      providers: t.arg({ type: [SocialProvider], description: "The providers that stay." }),
      capabilities: t.arg({ type: [Capability], description: "The capabilities that stay." }),
      returnUrls: t.arg.stringList({ description: "The identity return URLs that stay." }),
      clientIds: t.arg.idList({ description: "The clients that the registration serves then. Absent: all." }),
      since: t.arg({ type: "DateTime", description: "The time from which on events are sent again." }),
      failedOnly: t.arg.boolean({ description: "Only failed and missing deliveries are sent again." }),
    },
    validate: inputSchema("plannedTouch"),
    resolve: async (_root, { action, id, ...args }, { service }) => {
      const planned = {
        id: asUuid(id) ?? "",
        value: args.value ?? "",
        provider: args.provider ?? null,
        providers: args.providers ?? [],
        capabilities: args.capabilities ?? [],
        returnUrls: args.returnUrls ?? [],
        clientIds: args.clientIds?.flatMap((one) => asUuid(one) ?? []) ?? null,
        since: args.since ?? null,
        failedOnly: args.failedOnly ?? false,
      };
      return planned.id === "" ? [] : touchedCounts(await PLANS[action](service, planned));
    },
  }),
  lastTouch: t.field({
    type: LastTouch,
    description: "The newest change of an object by this admin in the last 30 seconds, from the audit log.",
    args: { targetId: t.arg.id({ required: true }) },
    resolve: async (_root, { targetId }, context) => ({
      entry: await readNewestEntry(context.service, panelActorOf(context), targetId),
    }),
  }),
}));
