import {
  ConfirmationRequiredError,
  ConflictError,
  InvalidInputError,
  NotFoundError,
} from "../../modules/admin/errors.ts";
import { ProviderCheckError } from "../../modules/registrations/publishRegistration.ts";
import { builder } from "./builder.ts";

const PanelError = builder.interfaceRef<Error>("PanelError").implement({
  description: "Why something could not be done, for the person who wanted it.",
  fields: (t) => ({ message: t.exposeString("message") }),
});

builder.objectType(InvalidInputError, {
  name: "InvalidInputError",
  interfaces: [PanelError],
  fields: (t) => ({
    field: t.exposeString("field", { nullable: true, description: "Name or path of the argument that failed." }),
  }),
});

builder.objectType(ConflictError, {
  name: "ConflictError",
  interfaces: [PanelError],
  fields: (t) => ({
    reason: t.string({
      nullable: true,
      description: "Which rule would be broken, e.g. KEY_LIMIT or ALREADY_PRESENT.",
      resolve: ({ reason }) => reason ?? null,
    }),
  }),
});

builder.objectType(NotFoundError, { name: "NotFoundError", interfaces: [PanelError] });

builder.objectType(ConfirmationRequiredError, {
  name: "ConfirmationRequiredError",
  interfaces: [PanelError],
  description: "A sign-in at the identity provider of at most five minutes ago is needed.",
  fields: (t) => ({
    confirmUrl: t.string({
      description: "Where the browser goes for it; `?returnTo=` names the page of the panel to come back to.",
      resolve: (_error, _args, { service }) => `${service.adminHost}/panel/confirm`,
    }),
  }),
});

const AddressProblem = builder.objectRef<ProviderCheckError["problems"][number]>("AddressProblem").implement({
  fields: (t) => ({
    address: t.exposeString("address", { description: "authorization, token, revocation or api." }),
    problem: t.exposeString("problem"),
  }),
});

builder.objectType(ProviderCheckError, {
  name: "ProviderCheckError",
  interfaces: [PanelError],
  description: "Some address of the registration does not answer as the provider would.",
  fields: (t) => ({ problems: t.field({ type: [AddressProblem], resolve: ({ problems }) => [...problems] }) }),
});

/** What any change of the panel can run into. */
export const PANEL_ERRORS = { types: [InvalidInputError, ConflictError, NotFoundError] };
/** The same for a change that needs a fresh sign-in. */
export const CONFIRMED_ERRORS = { types: [...PANEL_ERRORS.types, ConfirmationRequiredError] };
/** The same for publishing. */
export const PUBLISHING_ERRORS = { types: [...CONFIRMED_ERRORS.types, ProviderCheckError] };
