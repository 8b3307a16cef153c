import {
  ConfirmationRequiredError,
  ConflictError,
  InvalidInputError,
  NotFoundError,
  ProviderCheckError,
} from "../../modules/admin/errors.ts";
import { builder } from "./builder.ts";

const PanelError = builder.interfaceRef<Error>("PanelError").implement({
  description: "Why a change was refused.",
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
      description: "Which rule it would break, for example KEY_LIMIT or ALREADY_PRESENT.",
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
  fields: (t) => ({
    address: t.exposeString("address", { description: "authorization, token, revocation or api." }),
    problem: t.exposeString("problem"),
  }),
});

builder.objectType(ProviderCheckError, {
  name: "ProviderCheckError",
  interfaces: [PanelError],
  description: "An address of the registration does not answer like the provider.",
  fields: (t) => ({ problems: t.field({ type: [AddressProblem], resolve: ({ problems }) => [...problems] }) }),
});

/** What any change of the panel can run into. */
export const PANEL_ERRORS = { types: [InvalidInputError, ConflictError, NotFoundError] };
/** The same for a change that needs a fresh sign-in. */
export const CONFIRMED_ERRORS = { types: [...PANEL_ERRORS.types, ConfirmationRequiredError] };
/** The same for publishing. */
export const PUBLISHING_ERRORS = { types: [...CONFIRMED_ERRORS.types, ProviderCheckError] };
