import type { ClientChangeInput, ClientChangeName } from "@social-connect/domain";
import type { Application } from "../../_generated/prisma/client.ts";
import type { AdminActor } from "../../modules/admin/actor.ts";
import type { Page } from "../../modules/admin/page.ts";
import { changeClient, createClient } from "../../modules/clients/changeClient.ts";
import { listClients, readClient } from "../../modules/clients/readClients.ts";
import { builder } from "./builder.ts";
import type { AdminContext } from "./context.ts";
import { actorOf, panelActorOf } from "./context.ts";
import { Capability, SocialProvider } from "./enums.ts";
import { AFTER, FIRST, PageInfo, pageRequest, searchText } from "./paging.ts";
import { CONFIRMED_ERRORS } from "./panelErrors.ts";

const ONWARD = "True once it was checked that the route never redirects onward to an address taken from the request.";

export const AdminClient = builder.prismaObject("Application", {
  name: "AdminClient",
  description: "A client application, with all that it has registered.",
  fields: (t) => ({
    id: t.exposeID("id"),
    slug: t.exposeString("slug"),
    displayName: t.exposeString("displayName"),
    enabled: t.exposeBoolean("enabled"),
    webOrigins: t.exposeStringList("webOrigins"),
    returnUrls: t.exposeStringList("returnUrls"),
    identityReturnUrls: t.exposeStringList("identityReturnUrls"),
    providers: t.expose("providers", { type: [SocialProvider] }),
    capabilities: t.expose("capabilities", { type: [Capability] }),
    tenantKeys: t.exposeStringList("tenantKeys"),
    previewOriginsEnabled: t.exposeBoolean("previewOriginsEnabled"),
    previewReturnPaths: t.exposeStringList("previewReturnPaths"),
    idpIdentityEnabled: t.exposeBoolean("idpIdentityEnabled"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const AdminClientPage = builder.objectRef<Page<Application>>("AdminClientPage").implement({
  fields: (t) => ({
    items: t.field({ type: [AdminClient], resolve: ({ items }) => [...items] }),
    pageInfo: t.expose("pageInfo", { type: PageInfo }),
  }),
});

const PreviewTemplate = builder.objectRef<{ readonly template: string | null }>("PreviewTemplate").implement({
  fields: (t) => ({
    template: t.exposeString("template", {
      nullable: true,
      description: "e.g. `https://{label}.preview.example.app`; null where the deployment has none.",
    }),
  }),
});

const CreateClientInput = builder.inputType("CreateClientInput", {
  fields: (t) => ({
    slug: t.string({ required: true, description: "Lower-case letters, digits and hyphens; it never changes." }),
    displayName: t.string({ required: true }),
    webOrigins: t.stringList({ required: true, description: "At least one." }),
    returnUrls: t.stringList({ required: true, description: "At least one, each on one of the origins." }),
    tenantKeys: t.stringList({ required: true }),
    providers: t.field({ type: [SocialProvider], required: true }),
    capabilities: t.field({ type: [Capability], required: true }),
    confirmedNoOnwardRedirect: t.boolean({ required: true, description: ONWARD }),
  }),
});

builder.queryFields((t) => ({
  previewTemplate: t.field({
    type: PreviewTemplate,
    description: "Which origins count as previews.",
    resolve: (_root, _args, { service }) => ({ template: service.previewOriginTemplate }),
  }),
  adminClients: t.field({
    type: AdminClientPage,
    description: "The clients, in the order of their slugs.",
    args: { first: t.arg.int({ description: FIRST }), after: t.arg.string({ description: AFTER }) },
    resolve: (_root, args, { service }) => listClients(service, pageRequest(args)),
  }),
  adminClient: t.prismaField({
    type: AdminClient,
    description: "One client.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, { service }) => readClient(service, id, query),
  }),
  searchClients: t.field({
    type: AdminClientPage,
    description: "Clients whose slug or display name holds the text.",
    args: {
      text: t.arg.string({ required: true, validate: searchText }),
      first: t.arg.int({ description: FIRST }),
      after: t.arg.string({ description: AFTER }),
    },
    resolve: (_root, { text, ...page }, { service }) => listClients(service, { text, ...pageRequest(page) }),
  }),
}));

/** Changes a client by the domain's rule of that name. */
function change<Name extends ClientChangeName>(
  context: AdminContext,
  name: Name,
  id: string,
  input: ClientChangeInput<Name>,
  actor: AdminActor = actorOf(context),
): Promise<Application> {
  return changeClient(context.service, actor, id, name, input);
}

builder.mutationFields((t) => ({
  createClient: t.field({
    type: AdminClient,
    description: "Registers a client. It starts enabled, without a key.",
    args: { input: t.arg({ type: CreateClientInput, required: true }) },
    resolve: (_root, { input }, context) => createClient(context.service, actorOf(context), input),
  }),
  setClientEnabled: t.field({
    type: AdminClient,
    description: "Switches a client on or off. Off, its keys are refused and unfinished attempts are canceled at once.",
    args: { id: t.arg.id({ required: true }), enabled: t.arg.boolean({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "setClientEnabled", id, input),
  }),
  setClientDisplayName: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), displayName: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "setClientDisplayName", id, input),
  }),
  setClientPolicy: t.field({
    type: AdminClient,
    description: "Which providers and capabilities the client may use, from the next read on.",
    args: {
      id: t.arg.id({ required: true }),
      providers: t.arg({ type: [SocialProvider], required: true }),
      capabilities: t.arg({ type: [Capability], required: true }),
    },
    resolve: (_root, { id, ...input }, context) => change(context, "setClientPolicy", id, input),
  }),
  addClientTenantKey: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), tenantKey: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "addClientTenantKey", id, input),
  }),
  removeClientTenantKey: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), tenantKey: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "removeClientTenantKey", id, input),
  }),
  addClientOrigin: t.field({
    type: AdminClient,
    description: "Registers an exact origin: scheme, host and port as a browser writes them.",
    args: { id: t.arg.id({ required: true }), origin: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "addClientOrigin", id, input),
  }),
  removeClientOrigin: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), origin: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "removeClientOrigin", id, input),
  }),
  addClientReturnUrl: t.field({
    type: AdminClient,
    description: "Registers a return URL on one of the client's origins.",
    args: {
      id: t.arg.id({ required: true }),
      url: t.arg.string({ required: true }),
      confirmedNoOnwardRedirect: t.arg.boolean({ required: true, description: ONWARD }),
    },
    resolve: (_root, { id, ...input }, context) => change(context, "addClientReturnUrl", id, input),
  }),
  removeClientReturnUrl: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), url: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "removeClientReturnUrl", id, input),
  }),
  setClientPreviewOrigins: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), enabled: t.arg.boolean({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "setClientPreviewOrigins", id, input),
  }),
  addClientPreviewReturnPath: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), path: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "addClientPreviewReturnPath", id, input),
  }),
  removeClientPreviewReturnPath: t.field({
    type: AdminClient,
    args: { id: t.arg.id({ required: true }), path: t.arg.string({ required: true }) },
    resolve: (_root, { id, ...input }, context) => change(context, "removeClientPreviewReturnPath", id, input),
  }),
  setClientIdpIdentity: t.field({
    type: AdminClient,
    description: "Switches the identity sign-in for a client, and registers where it may end. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: {
      id: t.arg.id({ required: true }),
      enabled: t.arg.boolean({ required: true }),
      returnUrls: t.arg.stringList({
        description: "All identity return URLs from now on; absent leaves them as they are.",
      }),
    },
    resolve: (_root, { id, ...input }, context) =>
      change(context, "setClientIdpIdentity", id, input, panelActorOf(context)),
  }),
}));
