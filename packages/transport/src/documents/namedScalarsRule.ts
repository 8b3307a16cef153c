import {
  type ArgumentNode,
  GraphQLError,
  getNullableType,
  isScalarType,
  Kind,
  type ObjectFieldNode,
  type ValidationContext,
} from "graphql";
import { withArgument } from "../scalars/scalars.ts";

const NAMED = ["DateTime", "DecimalCount"];

/** Names the argument of a malformed DateTime or DecimalCount, which the library's rule reports without it. */
export function NamedScalarsRule(context: ValidationContext) {
  const check = ({ name, value }: ArgumentNode | ObjectFieldNode) => {
    const type = getNullableType(context.getInputType());
    if (!isScalarType(type) || !NAMED.includes(type.name) || value.kind === Kind.VARIABLE || value.kind === Kind.NULL)
      return;
    try {
      type.parseLiteral(value);
    } catch (error) {
      const message = error instanceof GraphQLError ? withArgument(error.message, name.value) : null;
      if (message !== null) context.reportError(new GraphQLError(message));
    }
  };
  return { Argument: check, ObjectField: check };
}
