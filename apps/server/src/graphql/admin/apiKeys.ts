import { LIMITS } from "@social-connect/contract";
import { inputSchema } from "@social-connect/domain";
import type { AdminApiKey } from "../../_generated/prisma/client.ts";
import { type MintedKey, mintApiKey, revokeApiKey } from "../../modules/api-keys/changeApiKeys.ts";
import { listActiveApiKeys, listApiKeys, readApiKey } from "../../modules/api-keys/readApiKeys.ts";
import { dateOrNull, LAST_USED_AT, REVOKED_AT } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { panelActorOf } from "./context.ts";
import { ApiKeyScope } from "./enums.ts";
import { PAGE_ARGUMENTS, pageType } from "./paging.ts";
import { CONFIRMED_ERRORS, PANEL_ERRORS } from "./panelErrors.ts";

export const ApiKey = builder.prismaObject("AdminApiKey", {
  name: "ApiKey",
  description: "A key of the admin API, without its secret.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id of the key, a UUID." }),
    label: t.exposeString("label", { description: "A name that the admin chose, 1 to 80 characters." }),
    scope: t.expose("scope", { type: ApiKeyScope }),
    createdBy: t.exposeString("createdBy", { description: "The email address of the admin that the key acts as." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the key was created." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When the key expires." }),
    lastUsedAt: t.expose("lastUsedAt", LAST_USED_AT),
    revokedAt: t.expose("revokedAt", REVOKED_AT),
  }),
});

const ApiKeyPage = pageType("ApiKeyPage", "A page of API keys, newest first.", ApiKey);

const MintedApiKey = builder.objectRef<MintedKey>("MintedApiKey").implement({
  description: "A new API key with its secret.",
  fields: (t) => ({
    apiKey: t.expose("apiKey", { type: ApiKey }),
    key: t.string({
      description: "The complete key. It is shown only once.",
      resolve: ({ key }) => key.reveal(),
    }),
  }),
});

const ApiKeyDetail = builder.objectRef<AdminApiKey>("ApiKeyDetail").implement({
  description: "An API key with the times of its use.",
  fields: (t) => ({
    apiKey: t.field({ type: ApiKey, resolve: (key) => key }),
    firstUsedAt: t.expose("firstUsedAt", dateOrNull("Null until its first use.")),
  }),
});

builder.queryFields((t) => ({
  apiKeys: t.field({
    type: ApiKeyPage,
    description: "The API keys of all admins, newest first.",
    args: PAGE_ARGUMENTS,
    validate: inputSchema("apiKeys"),
    resolve: (_root, args, { service }) => listApiKeys(service, args),
  }),
  apiKeyDetail: t.field({
    type: ApiKeyDetail,
    description: "An API key, active or not.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, { service }) => readApiKey(service, id),
  }),
  activeApiKeysOf: t.prismaField({
    type: [ApiKey],
    description: "The active API keys of an admin. Removing the admin revokes them.",
    args: { memberId: t.arg.id({ required: true }) },
    resolve: (query, _root, { memberId }, { service }) => listActiveApiKeys(service, memberId, query),
  }),
}));

builder.mutationFields((t) => ({
  mintApiKey: t.field({
    type: MintedApiKey,
    description: `Creates a key that acts as the signed-in admin, who can have ${LIMITS.activeAdminKeys} active ones. Needs a confirmation.`,
    errors: CONFIRMED_ERRORS,
    args: {
      label: t.arg.string({ required: true }),
      scope: t.arg({ type: ApiKeyScope, required: true }),
      lifetimeDays: t.arg.int({
        required: true,
        description: `At most ${LIMITS.adminKeyLifetimeDays.sandbox} in sandbox mode, ${LIMITS.adminKeyLifetimeDays.live} in live mode.`,
      }),
    },
    validate: inputSchema("mintApiKey"),
    resolve: (_root, input, context) => mintApiKey(context.service, panelActorOf(context), input),
  }),
  revokeApiKey: t.field({
    type: ApiKey,
    description: "Revokes a key of any admin. Its next request fails.",
    errors: PANEL_ERRORS,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }, context) => revokeApiKey(context.service, panelActorOf(context), id),
  }),
}));
