import { clientIdHint, inputSchema } from "@social-connect/domain";
import {
  createRegistration,
  disableRegistration,
  pauseRegistration,
  setRegistrationQuota,
  updateRegistration,
} from "../../modules/registrations/changeRegistration.ts";
import { publishRegistration } from "../../modules/registrations/publishRegistration.ts";
import {
  listRegistrations,
  type ProviderAvailability,
  readProviderAvailability,
  readRegistration,
} from "../../modules/registrations/readRegistrations.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { Capability, RegistrationStatus, SocialProvider } from "./enums.ts";
import { CONFIRMED_ERRORS, PANEL_ERRORS, PUBLISHING_ERRORS } from "./panelErrors.ts";
import { RegistrationDetail, RegistrationInput } from "./registrationDetail.ts";
import { QuotaInput } from "./registrationQuota.ts";

const AdminRegistration = builder.prismaObject("ProviderRegistration", {
  name: "AdminRegistration",
  description: "The service's registration at a provider. Its secret is never shown.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id of the registration, a UUID." }),
    provider: t.expose("provider", { description: "The provider of the registration.", type: SocialProvider }),
    status: t.expose("status", { description: "Whether the registration is in use.", type: RegistrationStatus }),
    clientIdHint: t.string({
      description: "The first characters of the client id at the provider.",
      resolve: ({ clientId }) => clientIdHint(clientId),
    }),
    capabilities: t.expose("capabilities", { description: "The capabilities that it can serve.", type: [Capability] }),
    applications: t.stringList({
      nullable: true,
      description: "The slugs of the clients that it serves; null when it serves all.",
      select: {
        allApplications: true,
        applications: { select: { application: { select: { slug: true } } } },
      },
      resolve: ({ allApplications, applications }) =>
        allApplications ? null : applications.map(({ application }) => application.slug).toSorted(),
    }),
    updatedAt: t.expose("updatedAt", {
      description: "When it was last changed, apart from its quota.",
      type: "DateTime",
    }),
  }),
});

const AdminProviderAvailability = builder.objectRef<ProviderAvailability>("AdminProviderAvailability").implement({
  description: "Whether accounts of a provider can be connected.",
  fields: (t) => ({
    provider: t.expose("provider", { description: "The provider.", type: SocialProvider }),
    available: t.exposeBoolean("available", { description: "Whether a registration at the provider is published." }),
    reason: t.exposeString("reason", {
      nullable: true,
      description:
        "The reason when not available: NO_REGISTRATION, REGISTRATION_DRAFT, REGISTRATION_PAUSED or REGISTRATION_DISABLED; null when available.",
    }),
  }),
});

const ID = builder.args((t) => ({ id: t.id({ description: "The id of the registration.", required: true }) }));

builder.queryFields((t) => ({
  adminProviderAvailability: t.field({
    type: [AdminProviderAvailability],
    description: "Whether accounts of each provider can be connected.",
    resolve: (_root, _args, { service }) => readProviderAvailability(service),
  }),
  adminRegistrations: t.prismaField({
    type: [AdminRegistration],
    description: "The provider registrations.",
    resolve: (query, _root, _args, { service }) => listRegistrations(service, query),
  }),
  registrationDetail: t.prismaField({
    type: RegistrationDetail,
    description: "A registration with everything but its secret.",
    args: ID,
    resolve: (query, _root, { id }, { service }) => readRegistration(service, id, query),
  }),
}));

builder.mutationFields((t) => ({
  createRegistration: t.field({
    type: AdminRegistration,
    description: "Saves a registration as a draft.",
    errors: PANEL_ERRORS,
    args: {
      provider: t.arg({ description: "The provider of the registration.", type: SocialProvider, required: true }),
      input: t.arg({ description: "The registration.", type: RegistrationInput, required: true }),
    },
    validate: inputSchema("createRegistration"),
    resolve: (_root, { provider, input }, context) =>
      createRegistration(context.service, panelActorOf(context), provider, input),
  }),
  updateRegistration: t.field({
    type: AdminRegistration,
    description:
      "Updates a registration that is not published. An address on another origin needs the client secret. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: {
      ...ID,
      input: t.arg({ description: "The registration.", type: RegistrationInput, required: true }),
    },
    validate: inputSchema("updateRegistration"),
    resolve: (_root, { id, input }, context) => updateRegistration(context.service, panelActorOf(context), id, input),
  }),
  setRegistrationQuota: t.field({
    type: AdminRegistration,
    description:
      "Sets a registration's own quota, which applies from the next call. Also of a published registration. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: {
      ...ID,
      quota: t.arg({ description: "Its own quota; absent: the provider's default.", type: QuotaInput }),
    },
    validate: inputSchema("setRegistrationQuota"),
    resolve: (_root, { id, quota }, context) =>
      setRegistrationQuota(context.service, panelActorOf(context), id, quota ?? null),
  }),
  publishRegistration: t.field({
    type: AdminRegistration,
    description: "Publishes a registration after checking its addresses. Needs a confirmation.",
    errors: PUBLISHING_ERRORS,
    args: ID,
    resolve: (_root, { id }, context) => publishRegistration(context.service, panelActorOf(context), id),
  }),
  pauseRegistration: t.field({
    type: AdminRegistration,
    description: "Accepts no new connections; reads of existing ones fail with AUTHORIZATION_SUSPENDED.",
    errors: PANEL_ERRORS,
    args: ID,
    resolve: (_root, { id }, context) => pauseRegistration(context.service, panelActorOf(context), id),
  }),
  disableRegistration: t.field({
    type: AdminRegistration,
    description: "Stops serving all clients; reads of its connections fail with CAPABILITY_UNAVAILABLE.",
    errors: PANEL_ERRORS,
    args: ID,
    resolve: (_root, { id }, context) => disableRegistration(context.service, panelActorOf(context), id),
  }),
}));
