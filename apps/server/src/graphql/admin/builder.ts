import SchemaBuilder from "@pothos/core";
import ErrorsPlugin from "@pothos/plugin-errors";
import PrismaPlugin from "@pothos/plugin-prisma";
import ValidationPlugin from "@pothos/plugin-validation";
import { InvalidInputError } from "@social-connect/domain";
import type PrismaTypes from "../../_generated/pothosPrismaTypes.ts";
import { getDatamodel } from "../../_generated/pothosPrismaTypes.ts";
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
  // Outermost first: a missing confirmation is an error of the result and is checked before the arguments.
  plugins: [ErrorsPlugin, "confirmation", PrismaPlugin, ValidationPlugin, "nullableRoots"],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.service.prisma, dmmf: getDatamodel(), onUnusedQuery: "error" },
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
    // Authorization is decided before anything runs, so a failing argument reveals nothing to an unauthorized caller.
    unsafelyHandleInputErrors: true,
    defaultUnionOptions: {
      name: ({ fieldName }) => `${fieldName.charAt(0).toUpperCase()}${fieldName.slice(1)}Result`,
    },
  },
});

export type Types = typeof builder.$inferSchemaTypes;

builder.addScalarType("DateTime", DateTimeScalar);
builder.queryType({});
builder.mutationType({});
