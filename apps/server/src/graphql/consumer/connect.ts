import { LIMITS } from "@social-connect/contract";
import { durationText, inputSchema } from "@social-connect/domain";
import { type CreatedConnectSession, createConnectSession } from "../../modules/connect/createConnectSession.ts";
import { readConnectResult } from "../../modules/connect/readConnectResult.ts";
import type { AttemptResult } from "../../modules/connect/store.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { onceCallerOf, readerOf } from "./context.ts";
import { Capability, ConnectCreatorAction, ConnectSessionStatus, SocialProvider } from "./enums.ts";
import { SubjectScope } from "./scope.ts";

const ConnectInput = builder.inputType("ConnectInput", {
  description: "What a connect attempt is for.",
  fields: (t) => ({
    scope: t.field({ description: "The user who connects an account.", type: SubjectScope, required: true }),
    provider: t.field({
      description: "Where the account is. The application's policy must allow it.",
      type: SocialProvider,
      required: true,
    }),
    capabilities: t.field({
      type: [Capability],
      required: true,
      description:
        "What to request from the user: at least one, without duplicates, each allowed by the application's policy.",
    }),
    returnUrl: t.string({
      required: true,
      description: "Where the browser goes afterwards: exactly one of the application's registered return URLs.",
    }),
    reconnectConnectionId: t.id({
      description: "To renew a connection: its id. It must have the same scope and provider.",
    }),
  }),
});

const EXPIRES_AT = {
  type: "DateTime",
  description: `The user has to finish before this: ${durationText(LIMITS.connectDeadlineMs)} after creation.`,
} as const;
const RESULT_EXPIRES_AT = {
  type: "DateTime",
  description: `The result can be read until this: ${durationText(LIMITS.connectResultReadableMs)} after creation.`,
} as const;

const ConnectSession = builder.objectRef<CreatedConnectSession>("ConnectSession").implement({
  description: "A started connect attempt. Store `id` with the signed-in user before the browser leaves.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id to read the result with." }),
    launchUrl: t.exposeString("launchUrl", { description: "Where the browser posts the launch token." }),
    launchToken: t.string({
      description: "Valid once. Send it only in an auto-submitted form of the browser.",
      resolve: ({ launchToken }) => launchToken.reveal(),
    }),
    expiresAt: t.expose("expiresAt", EXPIRES_AT),
    resultExpiresAt: t.expose("resultExpiresAt", RESULT_EXPIRES_AT),
  }),
});

const ConnectSessionResult = builder.objectRef<AttemptResult>("ConnectSessionResult").implement({
  description: "The state of a connect attempt.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id of the attempt." }),
    provider: t.expose("provider", { description: "Where the account is.", type: SocialProvider }),
    status: t.expose("status", { description: "The state of the attempt.", type: ConnectSessionStatus }),
    resultCode: t.exposeString("resultCode", {
      nullable: true,
      description: "Why the attempt ended without a connection, for example `USER_DENIED`; null otherwise.",
    }),
    connectionId: t.exposeID("connectionId", orNull("The connection once the attempt is COMPLETED; null before.")),
    creatorAction: t.expose("creatorAction", {
      type: ConnectCreatorAction,
      nullable: true,
      description:
        "What the user has to do at the provider because the attempt left a grant there; null when there is nothing to do.",
    }),
    expiresAt: t.expose("expiresAt", EXPIRES_AT),
    resultExpiresAt: t.expose("resultExpiresAt", RESULT_EXPIRES_AT),
  }),
});

builder.queryField("connectSessionResult", (t) =>
  t.field({
    type: ConnectSessionResult,
    description:
      "The state of a connect attempt. Trust this and not the parameters of the return URL. After `resultExpiresAt` it fails with NOT_FOUND.",
    args: {
      scope: t.arg({ description: "The scope that the attempt was created with.", type: SubjectScope, required: true }),
      id: t.arg.id({ description: "The id of the connect session.", required: true }),
    },
    validate: inputSchema("connectSessionResult"),
    resolve: (_root, { scope, id }, context) => readConnectResult(context.service, readerOf(context), scope, id),
  }),
);

builder.mutationField("createConnectSession", (t) =>
  t.field({
    type: ConnectSession,
    description: `Starts a connect attempt, which the user finishes in a browser. Fails with RATE_LIMITED while the user has ${LIMITS.unfinishedConnectAttempts} pending attempts for the provider.`,
    args: { input: t.arg({ description: "What the attempt is for.", type: ConnectInput, required: true }) },
    validate: inputSchema("createConnectSession"),
    resolve: (_root, { input }, context, info) =>
      createConnectSession(context.service, onceCallerOf(context, info), {
        ...input,
        reconnectConnectionId: input.reconnectConnectionId ?? null,
      }),
  }),
);
