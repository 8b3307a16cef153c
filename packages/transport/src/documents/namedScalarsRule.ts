import {
  type ArgumentNode,
  GraphQLError,
  getNullableType,
  isNonNullType,
  isScalarType,
  Kind,
  type NameNode,
  type ObjectFieldNode,
  type ValidationContext,
  type ValueNode,
  type VariableDefinitionNode,
} from "graphql";
import { withArgument } from "../scalars/scalars.ts";

const NAMED = ["DateTime", "DecimalCount"];

/** Names the argument of a malformed DateTime or DecimalCount, which the library's rule reports without it. */
export function NamedScalarsRule(context: ValidationContext) {
  const check = (name: NameNode, value: ValueNode | undefined) => {
    const inputType = context.getInputType();
    const type = getNullableType(inputType);
    if (!isScalarType(type) || !NAMED.includes(type.name) || value === undefined || value.kind === Kind.VARIABLE)
      return;
    if (value.kind === Kind.NULL && !isNonNullType(inputType)) return;
    try {
      type.parseLiteral(value);
    } catch (error) {
      const message = error instanceof GraphQLError ? withArgument(error.message, name.value) : null;
      if (message !== null) context.reportError(new GraphQLError(message, { nodes: value }));
    }
  };
  const checkPart = ({ name, value }: ArgumentNode | ObjectFieldNode) => check(name, value);
  return {
    Argument: checkPart,
    ObjectField: checkPart,
    VariableDefinition: ({ variable, defaultValue }: VariableDefinitionNode) => check(variable.name, defaultValue),
  };
}
