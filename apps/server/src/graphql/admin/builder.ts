import SchemaBuilder from "@pothos/core";
import ErrorsPlugin from "@pothos/plugin-errors";
import PrismaPlugin from "@pothos/plugin-prisma";
import ValidationPlugin from "@pothos/plugin-validation";
import type PrismaTypes from "../../_generated/pothosPrismaTypes.ts";
import { getDatamodel } from "../../_generated/pothosPrismaTypes.ts";
import { InvalidInputError } from "../../modules/admin/errors.ts";
import { DateTimeScalar } from "../shared/scalars.ts";
import "./confirmationPlugin.ts";
import "./nullableRootsPlugin.ts";
import type { AdminContext } from "./context.ts";

export const builder = new SchemaBuilder<{
  Context: AdminContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: Date; Output: Date };
    ID: { Input: string; Output: string };
  };
}>({
  // The outermost first: a confirmation that is missing is one of the errors of a result, and comes before an argument.
  plugins: [ErrorsPlugin, "confirmation", PrismaPlugin, ValidationPlugin, "nullableRoots"],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.service.prisma, dmmf: getDatamodel(), onUnusedQuery: null },
  validation: {
    validationError: (failure) => {
      const [issue] = failure.issues;
      const path = issue?.path?.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
      return new InvalidInputError(path || null, issue?.message ?? "An argument is not valid.");
    },
  },
  errors: {
    defaultTypes: [],
    directResult: true,
    // Who may call is decided before anything runs, so an argument that fails tells nothing to one who may not.
    unsafelyHandleInputErrors: true,
    defaultUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
    },
  },
});

builder.addScalarType("DateTime", DateTimeScalar);
builder.queryType({});
builder.mutationType({});
