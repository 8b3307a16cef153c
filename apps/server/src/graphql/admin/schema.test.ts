import { readFileSync } from "node:fs";
import { ADMIN_OPERATIONS, type AdminOperation } from "@social-connect/contract";
import { GraphQLUnionType, getNullableType } from "graphql";
import { expect, test } from "vitest";
import { adminSchema, adminSchemaText } from "./schema.ts";

test("the published file matches the served schema", () => {
  const file = new URL("../../../../../packages/contract/admin.graphql", import.meta.url);
  const withoutComments = readFileSync(file, "utf8").replace(/^#.*\n/gm, "");
  expect(withoutComments.trim()).toBe(adminSchemaText.trim());
});

const changes = Object.entries<AdminOperation>(ADMIN_OPERATIONS).filter(([, { kind }]) => kind === "mutation");

test.each(changes)("%s has typed errors exactly if only the panel calls it", (name, { access, needsConfirmation }) => {
  const type = getNullableType(adminSchema.getMutationType()?.getFields()[name]?.type);
  const errors = type instanceof GraphQLUnionType ? type.getTypes().map((one) => one.name) : [];
  expect(errors.includes("InvalidInputError")).toBe(access === "PANEL");
  expect(errors.includes("ConfirmationRequiredError")).toBe(access === "PANEL" && needsConfirmation);
});
