import type { CreatedConnectSession } from "../../modules/connect/createConnectSession.ts";
import { createConnectSession } from "../../modules/connect/createConnectSession.ts";
import type { AttemptResult } from "../../modules/connect/readConnectResult.ts";
import { readConnectResult } from "../../modules/connect/readConnectResult.ts";
import { builder } from "./builder.ts";
import { callerOf } from "./context.ts";
import { Capability, ConnectCreatorAction, ConnectSessionStatus, SocialProvider } from "./enums.ts";
import { SubjectScope } from "./scope.ts";

const ConnectInput = builder.inputType("ConnectInput", {
  fields: (t) => ({
    scope: t.field({ type: SubjectScope, required: true }),
    provider: t.field({ type: SocialProvider, required: true }),
    capabilities: t.field({ type: [Capability], required: true, description: "At least one, none twice." }),
    returnUrl: t.string({ required: true, description: "Equal, byte for byte, to a registered return URL." }),
    reconnectConnectionId: t.id({ description: "The connection to renew, of the same scope and provider." }),
  }),
});

const ConnectSession = builder.objectRef<CreatedConnectSession>("ConnectSession").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    launchUrl: t.exposeString("launchUrl", { description: "Where the browser posts the launch token as a form." }),
    launchToken: t.string({
      description: "Good for one use. It belongs in an auto-submitted form and nowhere else.",
      resolve: ({ launchToken }) => launchToken.reveal(),
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "The person has until then, 10 minutes." }),
    resultExpiresAt: t.expose("resultExpiresAt", {
      type: "DateTime",
      description: "The result is readable until then, 24 hours.",
    }),
  }),
});

const ConnectSessionResult = builder.objectRef<AttemptResult>("ConnectSessionResult").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    provider: t.expose("provider", { type: SocialProvider }),
    status: t.expose("status", { type: ConnectSessionStatus }),
    resultCode: t.exposeString("resultCode", { nullable: true, description: "Why the attempt ended as it did." }),
    connectionId: t.exposeID("connectionId", { nullable: true, description: "Set with COMPLETED." }),
    creatorAction: t.expose("creatorAction", {
      type: ConnectCreatorAction,
      nullable: true,
      description: "What the person has to do at the provider, where a grant was left behind there.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
    resultExpiresAt: t.expose("resultExpiresAt", { type: "DateTime" }),
  }),
});

builder.queryField("connectSessionResult", (t) =>
  t.field({
    type: ConnectSessionResult,
    description: "How a connect attempt stands. The only truth about it: what the browser brings back is a hint.",
    args: { scope: t.arg({ type: SubjectScope, required: true }), id: t.arg.id({ required: true }) },
    resolve: (_root, { scope, id }, context) => readConnectResult(context.service, callerOf(context), scope, id),
  }),
);

builder.mutationField("createConnectSession", (t) =>
  t.field({
    type: ConnectSession,
    description: "Starts an attempt to link an account, to be finished in the person's browser.",
    args: { input: t.arg({ type: ConnectInput, required: true }) },
    resolve: (_root, { input }, context) =>
      createConnectSession(context.service, callerOf(context), {
        ...input,
        reconnectConnectionId: input.reconnectConnectionId ?? null,
      }),
  }),
);
