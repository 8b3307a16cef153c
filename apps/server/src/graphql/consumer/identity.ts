import { LIMITS } from "@social-connect/contract";
import { durationText, inputSchema } from "@social-connect/domain";
import { type CreatedIdentitySession, createIdentitySession } from "../../modules/identity/createIdentitySession.ts";
import { type IdentityResult, redeemIdentityResult } from "../../modules/identity/redeemIdentityResult.ts";
import { orNull } from "../shared/fieldOptions.ts";
import { builder } from "./builder.ts";
import { onceCallerOf } from "./context.ts";
import { IdpIdentityStatus } from "./enums.ts";

const IdpIdentityInput = builder.inputType("IdpIdentityInput", {
  description: "What a sign-in is for.",
  fields: (t) => ({
    tenantKey: t.string({ description: "A tenant registered for the application.", required: true }),
    returnUrl: t.string({
      required: true,
      description:
        "Where the browser goes afterwards: exactly one of the application's registered identity return URLs.",
    }),
  }),
});

const IdpIdentitySession = builder.objectRef<CreatedIdentitySession>("IdpIdentitySession").implement({
  description: "A started sign-in at the identity provider.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "The id to redeem the result with. Store it with the browser session." }),
    launchUrl: t.exposeString("launchUrl", { description: "Where the browser posts the launch token." }),
    launchToken: t.string({
      description: "Valid once. Send it only in an auto-submitted form of the browser.",
      resolve: ({ launchToken }) => launchToken.reveal(),
    }),
    resultProof: t.string({
      description: "The secret that redeems the result. It must stay on the server.",
      resolve: ({ resultProof }) => resultProof.reveal(),
    }),
    expiresAt: t.expose("expiresAt", {
      description: `The user has to finish before this: ${durationText(LIMITS.identityDeadlineMs)} after creation.`,
      type: "DateTime",
    }),
    resultExpiresAt: t.expose("resultExpiresAt", {
      description: `The result can be redeemed until this: ${durationText(LIMITS.identityResultReadableMs)} after creation.`,
      type: "DateTime",
    }),
  }),
});

const IdpIdentityResult = builder.objectRef<IdentityResult>("IdpIdentityResult").implement({
  description: "Who signed in. `issuer` and `idpSub` together identify a user.",
  fields: (t) => ({
    status: t.expose("status", {
      description: "PENDING leaves the proof valid; any other status has consumed it.",
      type: IdpIdentityStatus,
    }),
    issuer: t.exposeString("issuer", orNull("The URL of the identity provider; null unless COMPLETED.")),
    idpSub: t.exposeString("idpSub", orNull("The identity provider's stable id of the user; null unless COMPLETED.")),
    email: t.exposeString("email", {
      description: "The user's email address. It can be reassigned, so do not identify users by it.",
      nullable: true,
    }),
    emailVerified: t.exposeBoolean("emailVerified", {
      description: "Whether the identity provider has verified the email address.",
      nullable: true,
    }),
    name: t.exposeString("name", orNull("The user's name.")),
    pictureUrl: t.exposeString("pictureUrl", orNull("A picture of the user.")),
  }),
});

builder.mutationFields((t) => ({
  createIdpIdentitySession: t.field({
    type: IdpIdentitySession,
    description: `Starts a sign-in at the identity provider, which the user finishes in a browser. Fails with RATE_LIMITED while the application has ${LIMITS.unfinishedIdentityAttempts} pending sign-ins.`,
    args: { input: t.arg({ description: "What the sign-in is for.", type: IdpIdentityInput, required: true }) },
    validate: inputSchema("createIdpIdentitySession"),
    resolve: (_root, { input }, context, info) =>
      createIdentitySession(context.service, onceCallerOf(context, info), input),
  }),
  redeemIdpIdentityResult: t.field({
    type: IdpIdentityResult,
    description:
      "Redeems the result of a sign-in. PENDING leaves the proof valid; any other status consumes it, and a second call fails with NOT_FOUND.",
    args: {
      id: t.arg.id({ description: "The id of the session.", required: true }),
      tenantKey: t.arg.string({ description: "The tenant that it was created for.", required: true }),
      resultProof: t.arg.string({ description: "The session's proof.", required: true }),
    },
    validate: inputSchema("redeemIdpIdentityResult"),
    resolve: (_root, args, context, info) => redeemIdentityResult(context.service, onceCallerOf(context, info), args),
  }),
}));
