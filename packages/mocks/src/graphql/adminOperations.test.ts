import { expect, test } from "vitest";
import { ADMIN_MUTATIONS, ADMIN_QUERIES, PANEL_OWN_OPERATIONS } from "../../../contract/src/adminSchemaTables.ts";
import { adminClassOf } from "./adminOperations.ts";

test("each operation has the class that the description's table gives it, and what is not there is the panel's", () => {
  const table = Object.entries({ ...ADMIN_QUERIES, ...ADMIN_MUTATIONS }).map(([name, { access }]) => [name, access]);
  expect(table.map(([name = ""]) => [name, adminClassOf(name)])).toEqual(table);
  expect(PANEL_OWN_OPERATIONS.filter((name) => adminClassOf(name) !== "PANEL")).toEqual([]);
  expect(adminClassOf("__typename")).toBeNull();
});
