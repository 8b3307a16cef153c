import { LIMITS } from "@social-connect/contract";
import { builder } from "./builder.ts";

export const SubjectScope = builder.inputType("SubjectScope", {
  description: "The user that a call is for. The service trusts the application's backend to send the right one.",
  fields: (t) => ({
    tenantKey: t.string({
      required: true,
      description: `A tenant registered for the application: 1 to ${LIMITS.scopeStringMaxLength} characters.`,
    }),
    externalSubjectId: t.string({
      required: true,
      description: `The application's stable id of its user: 1 to ${LIMITS.scopeStringMaxLength} characters. Take it from your own sign-in, never from user input.`,
    }),
  }),
});
