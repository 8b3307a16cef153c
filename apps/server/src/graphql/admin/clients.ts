import type { GenericInputFieldRef, InputFieldMap } from "@pothos/core";
import { LIMITS } from "@social-connect/contract";
import {
  type ClientChangeInput,
  type ClientChangeName,
  inputSchema,
  LOGO_LIMITS,
  type Mode,
  originRules,
} from "@social-connect/domain";
import type { Page } from "../../modules/admin/page.ts";
import { readClient } from "../../modules/applications/client.ts";
import { changeClient, createClient } from "../../modules/clients/changeClient.ts";
import {
  CLIENT_POSITION,
  type ClientOrderName,
  countClients,
  type ListedClient,
  listClients,
} from "../../modules/clients/readClients.ts";
import { builder } from "./builder.ts";
import { actorOf, panelActorOf } from "./context.ts";
import { Capability, SocialProvider } from "./enums.ts";
import { PAGE_ARGUMENTS, PageInfo, shownRows } from "./paging.ts";
import { CONFIRMED_ERRORS } from "./panelErrors.ts";

const ONWARD = "True once you have checked that the route never redirects to an address taken from the request.";

const LOGO = `The logo on pages of the service, as a data URL of a PNG, JPEG or WebP image with at most ${LOGO_LIMITS.bytes} bytes.`;
const BRAND_COLOR = "The color of buttons on pages of the service: `#` and six hexadecimal digits.";
const SUPPORT_ADDRESS = "Where users of the application get help: a `mailto:` or https address.";
const PRIVACY_URL = "The https address of the application's privacy notice.";

export const AdminClient = builder.prismaObject("Application", {
  name: "AdminClient",
  select: { id: true },
  description: "A client application with its settings.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The service's id of the client, a UUID." }),
    slug: t.exposeString("slug", { description: "Lower-case letters, digits and hyphens. It never changes." }),
    displayName: t.exposeString("displayName", { description: "The name that users see when they consent." }),
    enabled: t.exposeBoolean("enabled", { description: "Whether the service accepts the client's keys." }),
    webOrigins: t.exposeStringList("webOrigins", {
      description: "The origins of pages that may start an attempt; at least one.",
    }),
    returnUrls: t.exposeStringList("returnUrls", {
      description: "Where a connect attempt may return to; at least one.",
    }),
    identityReturnUrls: t.exposeStringList("identityReturnUrls", {
      description: "Where a sign-in may return to. Only the panel changes these.",
    }),
    providers: t.expose("providers", { description: "The providers that the client may use.", type: [SocialProvider] }),
    capabilities: t.expose("capabilities", {
      description: "The capabilities that the client may use.",
      type: [Capability],
    }),
    tenantKeys: t.exposeStringList("tenantKeys", { description: "The tenants that the client's backend may name." }),
    previewOriginsEnabled: t.exposeBoolean("previewOriginsEnabled", {
      description: "Whether origins of the deployment's preview template are accepted.",
    }),
    previewReturnPaths: t.exposeStringList("previewReturnPaths", {
      description: "Paths that are return URLs on every preview origin.",
    }),
    idpIdentityEnabled: t.exposeBoolean("idpIdentityEnabled", {
      description: "Whether the client may start sign-ins at the identity provider. Only the panel changes this.",
    }),
    logo: t.exposeString("logo", { nullable: true, description: LOGO }),
    brandColor: t.exposeString("brandColor", { nullable: true, description: BRAND_COLOR }),
    supportAddress: t.exposeString("supportAddress", { nullable: true, description: SUPPORT_ADDRESS }),
    privacyUrl: t.exposeString("privacyUrl", { nullable: true, description: PRIVACY_URL }),
    createdAt: t.expose("createdAt", { description: "When the client was registered.", type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { description: "When the client was last changed.", type: "DateTime" }),
  }),
});

const AdminClientPage = builder.objectRef<Page<ListedClient>>("AdminClientPage").implement({
  description: "A page of the clients, in the order of their slugs.",
  fields: (t) => ({
    items: t.expose("items", { description: "The clients of this page.", type: [AdminClient] }),
    pageInfo: t.expose("pageInfo", { description: "How to read the next page.", type: PageInfo }),
  }),
});

const originRulesOf = ({ mode }: { readonly mode: Mode }) => ({
  allowsLoopbackHttp: originRules(mode).allowLoopbackHttp,
});

interface PreviewTemplateShape {
  readonly template: string | null;
  readonly allowsLoopbackHttp: boolean;
}

const PreviewTemplate = builder.objectRef<PreviewTemplateShape>("PreviewTemplate").implement({
  description: "Which addresses the deployment accepts for clients besides https origins.",
  fields: (t) => ({
    allowsLoopbackHttp: t.exposeBoolean("allowsLoopbackHttp", {
      description:
        "Whether origins and return URLs may use http on a loopback host, as in a sandbox; false in live mode.",
    }),
    template: t.exposeString("template", {
      nullable: true,
      description:
        "For example `https://{label}.preview.example.app`; null when the deployment has no preview origins.",
    }),
  }),
});

const CreateClientInput = builder.inputType("CreateClientInput", {
  description: "A new client.",
  fields: (t) => ({
    slug: t.string({ required: true, description: "Lower-case letters, digits and hyphens. It never changes." }),
    displayName: t.string({
      description: "The name that users see when they consent: 1 to 80 characters.",
      required: true,
    }),
    webOrigins: t.stringList({
      required: true,
      description: "The origins of pages that may start an attempt; at least one.",
    }),
    returnUrls: t.stringList({
      required: true,
      description: "Where a connect attempt may return to: at least one, each on one of the origins.",
    }),
    tenantKeys: t.stringList({
      description: `The tenants that the client's backend may name: 1 to ${LIMITS.scopeStringMaxLength} characters each.`,
      required: true,
    }),
    providers: t.field({
      description: "The providers that the client may use.",
      type: [SocialProvider],
      required: true,
    }),
    capabilities: t.field({
      description: "The capabilities that the client may use.",
      type: [Capability],
      required: true,
    }),
    confirmedNoOnwardRedirect: t.boolean({ required: true, description: ONWARD }),
  }),
});

const ClientOrder = builder.enumType("ClientOrder", {
  description: "The order of a list of clients.",
  values: {
    SLUG: { description: "By slug." },
    NAME: { description: "By display name." },
    CREATED: { description: "The oldest first." },
    UPDATED: { description: "The least recently changed first." },
  } satisfies Record<ClientOrderName, object>,
});

const ClientSearchPage = builder
  .objectRef<Page<ListedClient> & { readonly text: string }>("ClientSearchPage")
  .implement({
    description: "A page of clients, and how many there are.",
    fields: (t) => ({
      items: t.expose("items", { type: [AdminClient] }),
      pageInfo: t.expose("pageInfo", { type: PageInfo }),
      totalCount: t.int({
        description: "How many clients contain the search string.",
        resolve: ({ text }, _args, { service }) => countClients(service, text),
      }),
    }),
  });

const ID = builder.args((t) => ({ id: t.id({ description: "The id of the client.", required: true }) }));

builder.queryFields((t) => ({
  previewTemplate: t.field({
    type: PreviewTemplate,
    description: "Which addresses the deployment accepts for clients besides https origins.",
    resolve: (_root, _args, { service }) => ({ template: service.previewOriginTemplate, ...originRulesOf(service) }),
  }),
  adminClients: t.field({
    type: AdminClientPage,
    description: "The clients, in the order of their slugs.",
    args: PAGE_ARGUMENTS,
    validate: inputSchema("adminClients"),
    resolve: (_root, args, context, info) =>
      listClients(context.service, args, shownRows(context, info, CLIENT_POSITION)),
  }),
  adminClient: t.prismaField({
    type: AdminClient,
    description: "One client.",
    args: ID,
    resolve: (query, _root, { id }, { service }) => readClient(service, id, query),
  }),
  searchClients: t.field({
    type: ClientSearchPage,
    description: "Clients whose slug or display name contains the search string, or whose id begins with it.",
    args: {
      orderBy: t.arg({ type: ClientOrder, description: "The order of the list; by slug if it is absent." }),
      descending: t.arg.boolean({ description: "Reverses the order." }),
      text: t.arg.string({ description: "The string to search for.", required: true }),
      ...PAGE_ARGUMENTS,
    },
    validate: inputSchema("searchClients"),
    resolve: async (_root, args, context, info) => ({
      ...(await listClients(context.service, args, shownRows(context, info, CLIENT_POSITION))),
      text: args.text,
    }),
  }),
}));

/** An argument for each value of a change's input. */
type ChangeArguments<Name extends ClientChangeName> = {
  readonly [Key in keyof ClientChangeInput<Name>]-?: GenericInputFieldRef<ClientChangeInput<Name>[Key]>;
};

builder.mutationFields((t) => {
  /** Applies the domain's change of that name to a client. */
  const change = <Name extends ClientChangeName>(name: Name, description: string, args: ChangeArguments<Name>) =>
    t.prismaField({
      type: AdminClient,
      description,
      args: { ...ID, ...(args as InputFieldMap) },
      validate: inputSchema<ClientChangeName>(name),
      resolve: (query, _root, { id, ...input }, context) =>
        changeClient(context.service, actorOf(context), id, name, input as ClientChangeInput<Name>, query),
    });
  return {
    createClient: t.prismaField({
      type: AdminClient,
      description: "Registers a client. It starts enabled and without a key.",
      args: { input: t.arg({ description: "The client's settings.", type: CreateClientInput, required: true }) },
      validate: inputSchema("createClient"),
      resolve: (query, _root, { input }, context) => createClient(context.service, actorOf(context), input, query),
    }),
    setClientEnabled: change(
      "setClientEnabled",
      "Enables or disables a client. Disabling refuses its keys and cancels its pending attempts immediately.",
      { enabled: t.arg.boolean({ description: "Whether the service accepts the client's keys.", required: true }) },
    ),
    setClientDisplayName: change("setClientDisplayName", "Changes the name that users see when they consent.", {
      displayName: t.arg.string({ description: "1 to 80 characters.", required: true }),
    }),
    setClientBranding: change(
      "setClientBranding",
      "Replaces what pages of the service show of the client besides its name. An absent or null argument removes it.",
      {
        logo: t.arg.string({ description: LOGO }),
        brandColor: t.arg.string({ description: BRAND_COLOR }),
        supportAddress: t.arg.string({ description: SUPPORT_ADDRESS }),
        privacyUrl: t.arg.string({ description: PRIVACY_URL }),
      },
    ),
    setClientPolicy: change(
      "setClientPolicy",
      "Replaces the providers and capabilities that the client may use. It applies to the next read.",
      {
        providers: t.arg({
          description: "All providers that the client may use.",
          type: [SocialProvider],
          required: true,
        }),
        capabilities: t.arg({
          description: "All capabilities that the client may use.",
          type: [Capability],
          required: true,
        }),
      },
    ),
    addClientTenantKey: change("addClientTenantKey", "Registers a tenant.", {
      tenantKey: t.arg.string({
        description: `1 to ${LIMITS.scopeStringMaxLength} characters, case-sensitive.`,
        required: true,
      }),
    }),
    removeClientTenantKey: change("removeClientTenantKey", "Removes a tenant.", {
      tenantKey: t.arg.string({ description: "The registered tenant.", required: true }),
    }),
    addClientOrigin: change("addClientOrigin", "Registers an origin.", {
      origin: t.arg.string({ description: "Scheme, host and port as a browser sends them.", required: true }),
    }),
    removeClientOrigin: change(
      "removeClientOrigin",
      "Removes an origin. Fails with CONFLICT for the last origin and for an origin that a return URL uses.",
      { origin: t.arg.string({ description: "The registered origin.", required: true }) },
    ),
    addClientReturnUrl: change("addClientReturnUrl", "Registers a return URL on one of the client's origins.", {
      url: t.arg.string({ description: "The exact URL.", required: true }),
      confirmedNoOnwardRedirect: t.arg.boolean({ required: true, description: ONWARD }),
    }),
    removeClientReturnUrl: change(
      "removeClientReturnUrl",
      "Removes a return URL. Fails with CONFLICT for the last one.",
      { url: t.arg.string({ description: "The registered URL.", required: true }) },
    ),
    setClientPreviewOrigins: change(
      "setClientPreviewOrigins",
      "Accepts or refuses origins of the deployment's preview template.",
      { enabled: t.arg.boolean({ description: "Whether preview origins are accepted.", required: true }) },
    ),
    addClientPreviewReturnPath: change(
      "addClientPreviewReturnPath",
      "Registers a path as a return URL on every preview origin.",
      { path: t.arg.string({ description: "An absolute path without query and fragment.", required: true }) },
    ),
    removeClientPreviewReturnPath: change("removeClientPreviewReturnPath", "Removes a preview return path.", {
      path: t.arg.string({ description: "The registered path.", required: true }),
    }),
    setClientIdpIdentity: t.prismaField({
      type: AdminClient,
      description:
        "Allows or forbids sign-ins at the identity provider, and registers where they may return to. Needs a confirmation.",
      errors: CONFIRMED_ERRORS,
      args: {
        ...ID,
        enabled: t.arg.boolean({ description: "Whether the client may start sign-ins.", required: true }),
        returnUrls: t.arg.stringList({ description: "All identity return URLs; absent leaves them unchanged." }),
      },
      validate: inputSchema("setClientIdpIdentity"),
      resolve: (query, _root, { id, ...input }, context) =>
        changeClient(context.service, panelActorOf(context), id, "setClientIdpIdentity", input, query),
    }),
  };
});
