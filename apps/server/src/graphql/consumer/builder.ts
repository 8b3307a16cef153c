import SchemaBuilder from "@pothos/core";
import ValidationPlugin from "@pothos/plugin-validation";
import { AppError } from "@social-connect/domain";
import { getDatamodel } from "../../_generated/pothosPrismaTypes.ts";
import { DateTimeScalar, DecimalCountScalar } from "../shared/scalars.ts";
import type { ConsumerContext } from "./context.ts";

/**
 * Without plugin-prisma, which the admin API uses: one hand-written, prepared statement does the whole of a hot read, with the
 * check of its key, and the other reads of this API are not rows of a table. See docs/explanation/hot-reads.md.
 */
export const builder = new SchemaBuilder<{
  Context: ConsumerContext;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: Date; Output: Date | string };
    DecimalCount: { Input: string; Output: string };
    ID: { Input: string; Output: string };
  };
}>({
  plugins: [ValidationPlugin],
  defaultFieldNullability: false,
  // Required by the types of the admin API's Prisma plugin, which is not loaded here.
  prisma: { client: (context) => context.service.prisma, dmmf: getDatamodel() },
  validation: {
    validationError: (failure) =>
      new AppError({ code: "BAD_USER_INPUT", message: failure.issues[0]?.message ?? "An argument is not valid." }),
  },
});

builder.addScalarType("DateTime", DateTimeScalar);
builder.addScalarType("DecimalCount", DecimalCountScalar);
builder.queryType({});
builder.mutationType({});
