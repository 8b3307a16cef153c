import SchemaBuilder from "@pothos/core";
import PrismaPlugin from "@pothos/plugin-prisma";
import ValidationPlugin from "@pothos/plugin-validation";
import type PrismaTypes from "../../_generated/pothosPrismaTypes.ts";
import { getDatamodel } from "../../_generated/pothosPrismaTypes.ts";
import { AppError } from "../../platform/appError.ts";
import { DateTimeScalar, DecimalCountScalar } from "../shared/scalars.ts";
import type { ConsumerContext } from "./context.ts";

export const builder = new SchemaBuilder<{
  Context: ConsumerContext;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: Date; Output: Date };
    DecimalCount: { Input: string; Output: string };
    ID: { Input: string; Output: string };
  };
}>({
  plugins: [PrismaPlugin, ValidationPlugin],
  defaultFieldNullability: false,
  prisma: { client: (context) => context.service.prisma, dmmf: getDatamodel(), onUnusedQuery: null },
  validation: {
    validationError: (failure) =>
      new AppError({ code: "BAD_USER_INPUT", message: failure.issues[0]?.message ?? "An argument is not valid." }),
  },
});

builder.addScalarType("DateTime", DateTimeScalar);
builder.addScalarType("DecimalCount", DecimalCountScalar);
builder.queryType({});
builder.mutationType({});
