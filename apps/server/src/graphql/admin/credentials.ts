import { LIMITS } from "@social-connect/contract";
import { inputSchema, TESTER_NOTE } from "@social-connect/domain";
import {
  type IssuedCredential,
  issueClientCredential,
  listClientCredentials,
  revokeClientCredential,
} from "../../modules/clients/credentials.ts";
import {
  addClientTester,
  listClientTesters,
  removeClientTester,
  setClientTesterNote,
} from "../../modules/clients/testers.ts";
import { dateOrNull, LAST_USED_AT, orNull, REVOKED_AT } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { SocialProvider } from "./enums.ts";
import { CONFIRMED_ERRORS, PANEL_ERRORS } from "./panelErrors.ts";

export const ClientCredential = builder.prismaObject("ApplicationKey", {
  name: "ClientCredential",
  description: "An application key, without its secret.",
  fields: (t) => ({
    keyId: t.exposeID("id", { description: "The id of the key, which is the part of the key before the dot." }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    expiresAt: t.expose("expiresAt", dateOrNull("Null: the key does not expire.")),
    lastUsedAt: t.expose("lastUsedAt", LAST_USED_AT),
    revokedAt: t.expose("revokedAt", REVOKED_AT),
  }),
});

const IssuedClientCredential = builder.objectRef<IssuedCredential>("IssuedClientCredential").implement({
  description: "A new application key with its secret.",
  fields: (t) => ({
    credential: t.expose("credential", { type: ClientCredential }),
    key: t.string({
      description: "The complete key, `<key-id>.<secret>`. It is shown only once.",
      resolve: ({ key }) => key.reveal(),
    }),
  }),
});

const ClientTester = builder.prismaObject("Tester", {
  name: "ClientTester",
  description: "An account that may connect in sandbox mode.",
  fields: (t) => ({
    provider: t.expose("provider", { type: SocialProvider }),
    providerAccountId: t.exposeString("providerAccountId", { description: "The provider's id of the account." }),
    note: t.exposeString("note", orNull("What admins know the account by.")),
  }),
});

const NOTE = `What admins know the account by: one line of at most ${TESTER_NOTE.maxLength} characters.`;

builder.queryFields((t) => ({
  clientCredentials: t.prismaField({
    type: [ClientCredential],
    description: "The keys of a client, newest first.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, { service }) => listClientCredentials(service, id, query),
  }),
  clientTesters: t.prismaField({
    type: [ClientTester],
    description: "The accounts that may connect to a client in sandbox mode.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, { service }) => listClientTesters(service, id, query),
  }),
}));

builder.mutationFields((t) => ({
  issueClientCredential: t.field({
    type: IssuedClientCredential,
    description: `Issues an application key; a client can have ${LIMITS.activeApplicationKeys} active ones. Needs a confirmation.`,
    errors: CONFIRMED_ERRORS,
    args: {
      id: t.arg.id({ required: true }),
      expiresInDays: t.arg.int({
        description: "The number of days until the key expires; absent: the key does not expire.",
      }),
    },
    validate: inputSchema("issueClientCredential"),
    resolve: (_root, { id, expiresInDays }, context) =>
      issueClientCredential(context.service, panelActorOf(context), id, expiresInDays ?? null),
  }),
  revokeClientCredential: t.field({
    type: ClientCredential,
    description: "Revokes an application key. Its next request fails.",
    errors: PANEL_ERRORS,
    args: { id: t.arg.id({ required: true }), keyId: t.arg.id({ required: true }) },
    resolve: (_root, { id, keyId }, context) =>
      revokeClientCredential(context.service, panelActorOf(context), id, keyId),
  }),
  addClientTester: t.field({
    type: ClientTester,
    description: "Allows an account to connect to the client in sandbox mode.",
    errors: PANEL_ERRORS,
    args: {
      id: t.arg.id({ required: true }),
      provider: t.arg({ type: SocialProvider, required: true }),
      providerAccountId: t.arg.string({ required: true, description: "The provider's id of the account." }),
      note: t.arg.string({ description: NOTE }),
    },
    validate: inputSchema("addClientTester"),
    resolve: (_root, { id, ...tester }, context) => addClientTester(context.service, panelActorOf(context), id, tester),
  }),
  setClientTesterNote: t.field({
    type: ClientTester,
    description: "Changes the note of a tester.",
    errors: PANEL_ERRORS,
    args: {
      id: t.arg.id({ required: true }),
      provider: t.arg({ type: SocialProvider, required: true }),
      providerAccountId: t.arg.string({ required: true }),
      note: t.arg.string({ description: `${NOTE} Absent or empty: no note.` }),
    },
    validate: inputSchema("setClientTesterNote"),
    resolve: (_root, { id, ...tester }, context) =>
      setClientTesterNote(context.service, panelActorOf(context), id, tester),
  }),
  removeClientTester: t.field({
    type: ClientTester,
    description: "Removes an account from the testers, so that it cannot connect in sandbox mode.",
    errors: PANEL_ERRORS,
    args: {
      id: t.arg.id({ required: true }),
      provider: t.arg({ type: SocialProvider, required: true }),
      providerAccountId: t.arg.string({ required: true }),
    },
    validate: inputSchema("removeClientTester"),
    resolve: (_root, { id, ...account }, context) =>
      removeClientTester(context.service, panelActorOf(context), id, account),
  }),
}));
