import { clientIdHint } from "@social-connect/domain";
import type { ProviderRegistration } from "../../_generated/prisma/client.ts";
import { createRegistration } from "../../modules/registrations/createRegistration.ts";
import {
  disableRegistration,
  pauseRegistration,
  publishRegistration,
} from "../../modules/registrations/publishRegistration.ts";
import type { ProviderAvailability } from "../../modules/registrations/readRegistrations.ts";
import {
  listRegistrations,
  readProviderAvailability,
  readRegistration,
} from "../../modules/registrations/readRegistrations.ts";
import { updateRegistration } from "../../modules/registrations/updateRegistration.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { Capability, RegistrationStatus, SocialProvider } from "./enums.ts";
import { CONFIRMED_ERRORS, PANEL_ERRORS, PUBLISHING_ERRORS } from "./panelErrors.ts";
import { RegistrationDetail, RegistrationInput, registrationInput } from "./registrationDetail.ts";

const AdminRegistration = builder.prismaObject("ProviderRegistration", {
  name: "AdminRegistration",
  description: "How the service is known at a provider. Its secret is never shown.",
  fields: (t) => ({
    id: t.exposeID("id"),
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: RegistrationStatus }),
    clientIdHint: t.string({
      description: "The beginning of the client id.",
      resolve: ({ clientId }) => clientIdHint(clientId),
    }),
    capabilities: t.expose("capabilities", { type: [Capability] }),
    applications: t.stringList({
      nullable: true,
      description: "Slugs of the clients it serves; null: it serves all.",
      select: {
        allApplications: true,
        applications: { select: { application: { select: { slug: true } } } },
      },
      resolve: ({ allApplications, applications }) =>
        allApplications ? null : applications.map(({ application }) => application.slug).toSorted(),
    }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

const AdminProviderAvailability = builder.objectRef<ProviderAvailability>("AdminProviderAvailability").implement({
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    available: t.exposeBoolean("available", { description: "A registration at the provider is published." }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "NO_REGISTRATION, REGISTRATION_DRAFT, REGISTRATION_PAUSED or REGISTRATION_DISABLED.",
    }),
  }),
});

builder.queryFields((t) => ({
  adminProviderAvailability: t.field({
    type: [AdminProviderAvailability],
    description: "Whether each provider can be connected at all.",
    resolve: (_root, _args, { service }) => readProviderAvailability(service),
  }),
  adminRegistrations: t.prismaField({
    type: [AdminRegistration],
    description: "The provider registrations.",
    resolve: (query, _root, _args, { service }) => listRegistrations(service, query),
  }),
  registrationDetail: t.field({
    type: RegistrationDetail,
    description: "All of a registration but its secret.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { service }): Promise<ProviderRegistration> => readRegistration(service, id),
  }),
}));

builder.mutationFields((t) => ({
  createRegistration: t.field({
    type: AdminRegistration,
    description: "Writes a registration down as a draft.",
    errors: PANEL_ERRORS,
    args: {
      provider: t.arg({ type: SocialProvider, required: true }),
      input: t.arg({ type: RegistrationInput, required: true }),
    },
    resolve: (_root, { provider, input }, context) =>
      createRegistration(context.service, panelActorOf(context), provider, registrationInput(input)),
  }),
  updateRegistration: t.field({
    type: AdminRegistration,
    description:
      "Updates a registration that is not published. An address on another origin needs the client secret. Needs a confirmation.",
    errors: CONFIRMED_ERRORS,
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: RegistrationInput, required: true }) },
    resolve: (_root, { id, input }, context) =>
      updateRegistration(context.service, panelActorOf(context), id, registrationInput(input)),
  }),
  publishRegistration: t.field({
    type: AdminRegistration,
    description: "Opens a registration, once its addresses answer as the provider would. Needs a confirmation.",
    errors: PUBLISHING_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => publishRegistration(context.service, panelActorOf(context), id),
  }),
  pauseRegistration: t.field({
    type: AdminRegistration,
    description: "No new connections; reading those that are there is AUTHORIZATION_SUSPENDED.",
    errors: PANEL_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => pauseRegistration(context.service, panelActorOf(context), id),
  }),
  disableRegistration: t.field({
    type: AdminRegistration,
    description: "Serves nobody any more; reading a connection of it is CAPABILITY_UNAVAILABLE.",
    errors: PANEL_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => disableRegistration(context.service, panelActorOf(context), id),
  }),
}));
