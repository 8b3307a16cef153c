import {
  ConfirmationRequiredError,
  ConflictError,
  InvalidInputError,
  NotFoundError,
  ProviderCheckError,
} from "@social-connect/domain";
import { orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";

const PanelError = builder.interfaceRef<Error>("PanelError").implement({
  description: "Why a change was refused.",
  fields: (t) => ({ message: t.exposeString("message", { description: "A message for the admin." }) }),
});

builder.objectType(InvalidInputError, {
  name: "InvalidInputError",
  interfaces: [PanelError],
  fields: (t) => ({
    field: t.exposeString("field", orNull("The name or path of the invalid argument.")),
  }),
});

builder.objectType(ConflictError, {
  name: "ConflictError",
  interfaces: [PanelError],
  fields: (t) => ({
    reason: t.string({
      nullable: true,
      description: "The rule that the change would break, for example KEY_LIMIT or ALREADY_PRESENT.",
      resolve: ({ reason }) => reason ?? null,
    }),
  }),
});

builder.objectType(NotFoundError, { name: "NotFoundError", interfaces: [PanelError] });

builder.objectType(ConfirmationRequiredError, {
  name: "ConfirmationRequiredError",
  interfaces: [PanelError],
  description: "The admin has to sign in again: the last sign-in is older than five minutes.",
  fields: (t) => ({
    confirmUrl: t.string({
      description: "Where the browser goes to sign in; `?returnTo=` names the page to return to.",
      resolve: (_error, _args, { service }) => `${service.adminHost}/panel/confirm`,
    }),
  }),
});

const AddressProblem = builder.objectRef<ProviderCheckError["problems"][number]>("AddressProblem").implement({
  description: "An endpoint that does not respond like the provider.",
  fields: (t) => ({
    address: t.exposeString("address", { description: "Which endpoint: authorization, token, revocation or api." }),
    problem: t.exposeString("problem", { description: "What is wrong with its response." }),
  }),
});

builder.objectType(ProviderCheckError, {
  name: "ProviderCheckError",
  interfaces: [PanelError],
  description: "An endpoint of the registration does not respond like the provider.",
  fields: (t) => ({ problems: t.field({ type: [AddressProblem], resolve: ({ problems }) => [...problems] }) }),
});

/** The errors of any change in the panel. */
export const PANEL_ERRORS = { types: [InvalidInputError, ConflictError, NotFoundError] };
/** The same for a change that needs a confirmation. */
export const CONFIRMED_ERRORS = { types: [...PANEL_ERRORS.types, ConfirmationRequiredError] };
/** The same for publishing. */
export const PUBLISHING_ERRORS = { types: [...CONFIRMED_ERRORS.types, ProviderCheckError] };
