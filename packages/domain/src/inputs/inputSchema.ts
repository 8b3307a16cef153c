import type { AdminErrorCode, AdminOperationName, ConsumerOperationName, ErrorCode } from "@social-connect/contract";
import type { Refusal } from "../decisions/refusal.ts";
import { ADMIN_INPUTS } from "./adminInputs.ts";
import { CONSUMER_INPUTS } from "./consumerInputs.ts";

/**
 * The shape of the arguments of each operation of both APIs. An invalid argument is BAD_USER_INPUT, whether or not the ids
 * beside it exist. What depends on stored data or on the deployment is part of the operation's decision.
 */
const INPUTS = { ...CONSUMER_INPUTS, ...ADMIN_INPUTS };

type Inputs = typeof INPUTS;
type OperationName = ConsumerOperationName | AdminOperationName;
type Arguments<Name extends OperationName> = Name extends keyof Inputs ? Parameters<Inputs[Name]>[0] : object;
type InputRefusal = Refusal<ErrorCode | AdminErrorCode>;

/** Why the arguments of an operation are refused; null if they are valid, and for an operation without rules. */
export function checkInput(operation: OperationName, args: object): InputRefusal | null {
  const rules: Partial<Record<OperationName, (args: never) => InputRefusal | null>> = INPUTS;
  return rules[operation]?.(args as never) ?? null;
}

/** The rules of an operation as a Standard Schema (standardschema.dev), with which a GraphQL server validates its arguments. */
export function inputSchema<Name extends OperationName>(operation: Name) {
  return {
    "~standard": {
      version: 1,
      vendor: "social-connect",
      types: undefined as { readonly input: Arguments<Name>; readonly output: Arguments<Name> } | undefined,
      validate: (value: unknown) => {
        const refusal = checkInput(operation, Object(value));
        if (refusal === null) return { value: value as Arguments<Name> };
        const path = refusal.field?.split(".");
        return { issues: [{ message: refusal.message, ...(path && { path }) }] };
      },
    },
  } as const;
}
