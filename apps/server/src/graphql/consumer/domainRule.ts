import type { Refusal } from "@social-connect/domain";
import { type ZodType, z } from "zod";

/** Validates an argument or input type with a rule of the domain, whose message becomes the error's. */
export function domainRule<Input>(check: (input: Input) => Refusal | null): ZodType<Input> {
  return z.custom<Input>().superRefine((input, context) => {
    const refusal = check(input);
    if (refusal !== null) context.addIssue({ code: "custom", message: refusal.message });
  });
}
