import { expect, expectTypeOf, it } from "vitest";
import { createAdmin } from "./createAdmin.ts";
import type { Admin, AdminReader, AdminWriter } from "./index.ts";
import { fakeWriter } from "./testing/clients.ts";
import { HOST, KEY } from "./testing/fakeAdmin.ts";
import type { WriteResult } from "./writes/outcome.ts";

const PANEL_ONLY = [
  "apiKeys",
  "mintApiKey",
  "revokeApiKey",
  "addAdminMember",
  "removeAdminMember",
  "issueClientCredential",
  "revokeClientCredential",
  "publishRegistration",
  "disableRegistration",
  "setClientIdpIdentity",
];

/** Every name that can be called on an object, its own and inherited. */
function methodsOf(object: object): readonly string[] {
  const names: string[] = [];
  for (let at = object; at !== Object.prototype; at = Object.getPrototypeOf(at))
    names.push(...Object.getOwnPropertyNames(at));
  return names.filter((name) => name !== "constructor");
}

it("a READ client has no write methods, neither in its type nor at run time", () => {
  const reader = createAdmin({ host: HOST, key: KEY, scope: "READ" });
  const { admin: writer } = fakeWriter();
  const writing = methodsOf(writer).filter((name) => !methodsOf(reader).includes(name));
  expect(writing.toSorted()).toEqual([
    "addClientOrigin",
    "addClientPreviewReturnPath",
    "addClientReturnUrl",
    "addClientTenantKey",
    "apply",
    "createClient",
    "removeClientOrigin",
    "removeClientPreviewReturnPath",
    "removeClientReturnUrl",
    "removeClientTenantKey",
    "setClientBranding",
    "setClientDisplayName",
    "setClientEnabled",
    "setClientPolicy",
    "setClientPreviewOrigins",
  ]);
  expectTypeOf(reader).toEqualTypeOf<AdminReader>();
  expectTypeOf(reader).not.toHaveProperty("addClientOrigin");
  expectTypeOf(reader).not.toHaveProperty("apply");
  expectTypeOf(reader).toHaveProperty("plan");
  expect(reader).not.toHaveProperty("addClientOrigin");
});

it("a WRITE client has both, and its writes return their outcome", () => {
  const writer = createAdmin({ host: HOST, key: KEY, scope: "WRITE" });
  expectTypeOf(writer).toEqualTypeOf<AdminWriter>();
  expectTypeOf(writer).toExtend<AdminReader>();
  expectTypeOf(writer.addClientOrigin).returns.resolves.toEqualTypeOf<WriteResult>();
  expectTypeOf<WriteResult["outcome"]>().toEqualTypeOf<"applied" | "already" | "unknown">();
  type Known = Extract<WriteResult, { outcome: "applied" | "already" }>;
  expectTypeOf<Known["client"]>().not.toBeNullable();
});

it("a scope that is only known at run time has the methods of READ", () => {
  const scope: "READ" | "WRITE" = process.env.NO_SUCH_SCOPE === "x" ? "READ" : "WRITE";
  const admin = createAdmin({ host: HOST, key: KEY, scope: scope as "READ" | "WRITE" });
  expectTypeOf(admin).toEqualTypeOf<AdminReader | AdminWriter>();
  expectTypeOf(admin).not.toHaveProperty("addClientOrigin");
  expectTypeOf<Admin<"READ">>().toEqualTypeOf<AdminReader>();
});

it("panel-only operations have no method, for any scope", () => {
  const names = methodsOf(fakeWriter().admin);
  expect(PANEL_ONLY.filter((name) => names.includes(name))).toEqual([]);
  expect(names.filter((name) => /key|credential|mint|registration/i.test(name)).toSorted()).toEqual([
    "addClientTenantKey",
    "registrations",
    "removeClientTenantKey",
  ]);
});

it("the confirmation of a return URL is the literal true in types, too", () => {
  const { admin } = fakeWriter();
  expectTypeOf(admin.addClientReturnUrl).parameter(2).toEqualTypeOf<{ readonly confirmedNoOnwardRedirect: true }>();
  expectTypeOf<{ confirmedNoOnwardRedirect: boolean }>().not.toExtend<Parameters<typeof admin.addClientReturnUrl>[2]>();
  expectTypeOf<Parameters<typeof admin.createClient>[0]["confirmedNoOnwardRedirect"]>().toEqualTypeOf<true>();
});
