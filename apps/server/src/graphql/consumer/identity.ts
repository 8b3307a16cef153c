import type { CreatedIdentitySession } from "../../modules/identity/createIdentitySession.ts";
import { createIdentitySession } from "../../modules/identity/createIdentitySession.ts";
import type { IdentityResult } from "../../modules/identity/redeemIdentityResult.ts";
import { redeemIdentityResult } from "../../modules/identity/redeemIdentityResult.ts";
import { builder } from "./builder.ts";
import { callerOf } from "./context.ts";
import { IdpIdentityStatus } from "./enums.ts";

const IdpIdentityInput = builder.inputType("IdpIdentityInput", {
  fields: (t) => ({
    tenantKey: t.string({ required: true }),
    returnUrl: t.string({ required: true, description: "Equal, byte for byte, to a registered identity return URL." }),
  }),
});

const IdpIdentitySession = builder.objectRef<CreatedIdentitySession>("IdpIdentitySession").implement({
  fields: (t) => ({
    id: t.exposeID("id"),
    launchUrl: t.exposeString("launchUrl", { description: "Where the browser posts the launch token as a form." }),
    launchToken: t.string({ description: "Good for one use.", resolve: ({ launchToken }) => launchToken.reveal() }),
    resultProof: t.string({
      description: "Needed to redeem. Stays on the server.",
      resolve: ({ resultProof }) => resultProof.reveal(),
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
    resultExpiresAt: t.expose("resultExpiresAt", { type: "DateTime" }),
  }),
});

const IdpIdentityResult = builder.objectRef<IdentityResult>("IdpIdentityResult").implement({
  description: "Who signed in. A user is known by issuer and idpSub together.",
  fields: (t) => ({
    status: t.expose("status", { type: IdpIdentityStatus }),
    issuer: t.exposeString("issuer", { nullable: true }),
    idpSub: t.exposeString("idpSub", { nullable: true }),
    email: t.exposeString("email", { nullable: true }),
    emailVerified: t.exposeBoolean("emailVerified", { nullable: true }),
    name: t.exposeString("name", { nullable: true }),
    pictureUrl: t.exposeString("pictureUrl", { nullable: true }),
  }),
});

builder.mutationField("createIdpIdentitySession", (t) =>
  t.field({
    type: IdpIdentitySession,
    description: "Starts a sign-in at the deployment's identity provider.",
    args: { input: t.arg({ type: IdpIdentityInput, required: true }) },
    resolve: (_root, { input }, context) => createIdentitySession(context.service, callerOf(context), input),
  }),
);

builder.mutationField("redeemIdpIdentityResult", (t) =>
  t.field({
    type: IdpIdentityResult,
    description: "Takes the result of a sign-in, once. PENDING leaves the proof usable.",
    args: {
      id: t.arg.id({ required: true }),
      tenantKey: t.arg.string({ required: true }),
      resultProof: t.arg.string({ required: true }),
    },
    resolve: (_root, args, context) => redeemIdentityResult(context.service, callerOf(context), args),
  }),
);
