import { EVENT_LIMITS, type EventTypeName } from "@social-connect/contract";
import { type EndpointOffReason, inputSchema } from "@social-connect/domain";
import type { EventDelivery } from "../../_generated/prisma/client.ts";
import {
  addEventEndpoint,
  changeEventEndpoint,
  type EndpointWithSecret,
  listEventEndpoints,
  removeEventEndpoint,
  rotateEventEndpointSecret,
  sendTestEvent,
} from "../../modules/events/endpoints.ts";
import { EVENT_POSITION, listEvents, listFailingEndpoints } from "../../modules/events/readEvents.ts";
import { BATCHES_PER_CALL, type Resent, resendEvent, resendEvents } from "../../modules/events/resendEvents.ts";
import { dateOrNull, orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { AdminClient } from "./clients.ts";
import { panelActorOf } from "./context.ts";
import { SocialProvider } from "./enums.ts";
import { PAGE_ARGUMENTS, pageType, shownRows } from "./paging.ts";
import { CONFIRMED_ERRORS, PANEL_ERRORS } from "./panelErrors.ts";

const OffReason = builder.enumType("EventEndpointOffReason", {
  description: "Why an event endpoint is off.",
  values: {
    GONE: { description: "The receiver answered 410." },
    FAILING: { description: `No delivery succeeded for ${EVENT_LIMITS.turnOffAfterDays} days.` },
    BY_ADMIN: { description: "An admin turned it off." },
  } satisfies Record<EndpointOffReason, object>,
});

const DeliveryStatus = builder.enumType("EventDeliveryStatus", {
  description: "How far the delivery of an event to an endpoint is.",
  values: {
    WAITING: { description: "It is tried now, or again at `nextTryAt`." },
    SUCCEEDED: { description: "The receiver answered 2xx." },
    FAILED: { description: "It is not tried again, unless it is resent." },
  } satisfies Record<EventDelivery["status"], object>,
});

const EventEndpointRef = builder.prismaObject("EventEndpoint", {
  name: "EventEndpoint",
  description: "A URL of an application's backend that receives events, without its secret.",
  fields: (t) => ({
    id: t.exposeID("id"),
    url: t.exposeString("url"),
    types: t.exposeStringList("types", { description: "The types that it receives. Empty: all, also later ones." }),
    enabled: t.exposeBoolean("enabled", { description: "Whether events are sent to it." }),
    turnedOffReason: t.field({
      type: OffReason,
      ...orNull("Why it is off; null while it is on."),
      resolve: ({ turnedOffReason }) => turnedOffReason as EndpointOffReason | null,
    }),
    turnedOffAt: t.expose("turnedOffAt", dateOrNull("Null while it is on.")),
    failingSince: t.expose("failingSince", dateOrNull("When the first try since the last success failed.")),
    lastTriedAt: t.expose("lastTriedAt", dateOrNull("Null before its first event.")),
    lastSucceededAt: t.expose("lastSucceededAt", dateOrNull("Null before its first success.")),
    previousSecretUntil: t.expose(
      "previousSecretUntil",
      dateOrNull("Until when the secret before a rotation also signs."),
    ),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

const FailingEventEndpoint = builder.prismaObject("EventEndpoint", {
  variant: "FailingEventEndpoint",
  description: "An event endpoint that fails, with its client.",
  fields: (t) => ({
    endpoint: t.variant(EventEndpointRef),
    client: t.relation("application", { type: AdminClient, description: "The client whose endpoint it is." }),
  }),
});

const EventEndpointSecret = builder.objectRef<EndpointWithSecret>("EventEndpointSecret").implement({
  description: "An event endpoint with its new secret.",
  fields: (t) => ({
    endpoint: t.expose("endpoint", { type: EventEndpointRef }),
    secret: t.string({
      description: "The secret that signs events, `whsec_` and base64. It is shown only once.",
      resolve: ({ secret }) => secret.reveal(),
    }),
  }),
});

const EventDeliveryRef = builder.prismaObject("EventDelivery", {
  name: "EventDelivery",
  description: "The delivery of an event to one endpoint.",
  fields: (t) => ({
    endpointId: t.exposeID("endpointId"),
    status: t.expose("status", { type: DeliveryStatus }),
    tries: t.exposeInt("tries", { description: "How often it was tried since the event, or since it was resent." }),
    nextTryAt: t.expose("nextTryAt", dateOrNull("Null once it has ended.")),
    lastTriedAt: t.expose("lastTriedAt", dateOrNull("Null before the first try.")),
    responseStatus: t.exposeInt("responseStatus", orNull("The HTTP status of the last response.")),
    problem: t.exposeString("problem", orNull("Why the last try failed, as a code of the service.")),
  }),
});

const ClientEvent = builder.prismaObject("Event", {
  name: "ClientEvent",
  description: "A change that an application's backend is told. It has ids and codes only.",
  select: EVENT_POSITION,
  fields: (t) => ({
    id: t.exposeID("id", { description: "The `webhook-id` of each request that delivers it." }),
    type: t.exposeString("type"),
    provider: t.expose("provider", { type: SocialProvider, nullable: true }),
    tenantKey: t.exposeString("tenantKey", orNull("Null for a test event, and for a receipt that was delivered.")),
    externalSubjectId: t.exposeString("externalSubjectId", orNull("The same; also null for the identity handoff.")),
    connectionId: t.exposeID("connectionId", { nullable: true }),
    attemptId: t.exposeID("attemptId", { nullable: true }),
    jobId: t.exposeID("jobId", { nullable: true }),
    status: t.exposeString("status", { nullable: true }),
    code: t.exposeString("code", { nullable: true }),
    occurredAt: t.expose("occurredAt", { type: "DateTime" }),
    deliveries: t.relation("deliveries", {
      type: EventDeliveryRef,
      description: "One for each endpoint that was on and takes the type.",
      query: { orderBy: [{ createdAt: "asc" }, { endpointId: "asc" }] },
    }),
  }),
});

const ClientEventPage = pageType("ClientEventPage", "A page of events, newest first.", ClientEvent);

const ResentEvents = builder.objectRef<Resent>("ResentEvents").implement({
  description: "What is sent again.",
  fields: (t) => ({
    events: t.exposeInt("events", { description: "How many events are sent, each to at least one endpoint." }),
    deliveries: t.exposeInt("deliveries", { description: "How many deliveries are sent." }),
    endCursor: t.exposeString("endCursor", orNull("The `after` of the next call; null when nothing is left.")),
  }),
});

builder.queryFields((t) => ({
  eventEndpoints: t.field({
    type: [EventEndpointRef],
    description: "The event endpoints of a client, oldest first.",
    args: { clientId: t.arg.id({ required: true }) },
    resolve: (_root, { clientId }, { service }) => listEventEndpoints(service, clientId),
  }),
  failingEventEndpoints: t.prismaField({
    type: [FailingEventEndpoint],
    description: "The event endpoints of all clients whose last try failed, or that were turned off for it.",
    resolve: (query, _root, _args, { service }) => listFailingEndpoints(service, query),
  }),
  events: t.field({
    type: ClientEventPage,
    description: `The events of a client in the last ${EVENT_LIMITS.storedDays} days, newest first.`,
    args: {
      clientId: t.arg.id({ required: true }),
      type: t.arg.string({ description: "Only events of this type." }),
      externalSubjectId: t.arg.string({ description: "Only events about this user; the complete id." }),
      failed: t.arg.boolean({ description: "Only events whose last try failed at an endpoint." }),
      ...PAGE_ARGUMENTS,
    },
    validate: inputSchema("events"),
    resolve: (_root, { first, after, type, ...filter }, context, info) =>
      listEvents(
        context.service,
        { type: type as EventTypeName | null, ...filter },
        { first, after },
        shownRows(context, info, EVENT_POSITION),
      ),
  }),
}));

builder.mutationFields((t) => ({
  addEventEndpoint: t.field({
    type: EventEndpointSecret,
    description: `Adds an event endpoint; a client can have ${EVENT_LIMITS.endpointsPerApplication}. Needs a confirmation.`,
    errors: CONFIRMED_ERRORS,
    args: {
      clientId: t.arg.id({ required: true }),
      url: t.arg.string({ required: true }),
      types: t.arg.stringList({ required: true, description: "The types that it receives. Empty: all." }),
    },
    validate: inputSchema("addEventEndpoint"),
    resolve: (_root, { clientId, ...input }, context) =>
      addEventEndpoint(context.service, panelActorOf(context), clientId, input),
  }),
  changeEventEndpoint: t.field({
    type: EventEndpointRef,
    description: "Changes the given properties of an event endpoint. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: {
      id: t.arg.id({ required: true }),
      url: t.arg.string(),
      types: t.arg.stringList({ description: "Empty: all." }),
      enabled: t.arg.boolean({ description: "False ends the waiting deliveries." }),
    },
    validate: inputSchema("changeEventEndpoint"),
    resolve: (_root, { id, ...input }, context) =>
      changeEventEndpoint(context.service, panelActorOf(context), id, input),
  }),
  rotateEventEndpointSecret: t.field({
    type: EventEndpointSecret,
    description: `Replaces the secret. The previous one also signs for ${EVENT_LIMITS.previousSecretHours} hours. Needs a confirmation.`,
    errors: CONFIRMED_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => rotateEventEndpointSecret(context.service, panelActorOf(context), id),
  }),
  removeEventEndpoint: t.field({
    type: EventEndpointRef,
    description: "Removes an event endpoint with its deliveries.",
    errors: PANEL_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => removeEventEndpoint(context.service, panelActorOf(context), id),
  }),
  resendEvents: t.field({
    type: ResentEvents,
    description: "Sends one event, or the events since a time, again with the same ids.",
    errors: PANEL_ERRORS,
    args: {
      clientId: t.arg.id({ required: true }),
      eventId: t.arg.id({ description: "One event. Either this or `since`." }),
      since: t.arg({ type: "DateTime", description: "The events from this time on." }),
      failedOnly: t.arg.boolean({ description: "With `since`: only failed and missing deliveries." }),
      after: t.arg.string({ description: "`endCursor` of the previous call." }),
    },
    validate: inputSchema("resendEvents"),
    resolve: (_root, { clientId, eventId, since, failedOnly, after }, context) => {
      const call = [context.service, panelActorOf(context), clientId] as const;
      if (since == null) return resendEvent(...call, eventId ?? "");
      const bounds = { after: after ?? null, batches: BATCHES_PER_CALL };
      return resendEvents(...call, { since, failedOnly: failedOnly ?? false }, bounds);
    },
  }),
  sendTestEvent: t.field({
    type: ClientEvent,
    description: "Sends a test event to an endpoint.",
    errors: PANEL_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => sendTestEvent(context.service, panelActorOf(context), id),
  }),
}));
