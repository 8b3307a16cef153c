import { beforeAll, expect, test } from "vitest";
import { adminQuery, type PanelUser, server, signInToPanel, useAdminServer } from "../../http/testing/adminServer.ts";
import { createAdminMember, createApiKey } from "../../modules/testing/admins.ts";
import { createApplication, createRegistrations } from "../../modules/testing/builders.ts";
import { createConnection } from "../../modules/testing/connections.ts";
import { service } from "../../modules/testing/fixtures.ts";
import { statementsOf } from "../../modules/testing/statements.ts";

useAdminServer();

let panel: PanelUser;
let key: string;
let registrations: Awaited<ReturnType<typeof createRegistrations>>;

beforeAll(async () => {
  const member = await createAdminMember(service);
  panel = await signInToPanel(server, member);
  ({ key } = await createApiKey(service, member, "READ"));
  registrations = await createRegistrations(service);
});

/** The statements of a query that read this table first. */
async function readsOf(table: string, run: () => Promise<unknown>) {
  return (await statementsOf(run)).filter(({ text }) => text.match(/FROM "?(?:public"?\."?)?(\w+)/)?.[1] === table);
}

test("one statement reads a page of clients, with the columns that the document selects", async () => {
  for (const slug of ["page-1", "page-2"]) await createApplication(service, slug);
  const pageOf = (fields: string) => () => adminQuery(server, key, `{ adminClients { items { ${fields} } } }`);
  const [read, ...more] = await readsOf("application", pageOf("slug enabled"));
  expect(more).toEqual([]);
  expect(read?.text).toContain('"enabled"');
  expect(read?.text).not.toMatch(/"logo"|"web_origins"/);
  const [withLogo] = await readsOf("application", pageOf("logo"));
  expect(withLogo?.text).toContain('"logo"');
});

const detailOf = async (id: string, fields: string) => {
  const { data } = await panel.query(`query ($id: ID!) { registrationDetail(id: $id) { ${fields} } }`, { id });
  return data.registrationDetail;
};

test("a registration has the clients it serves, in the order of their slugs, and null when it serves all", async () => {
  const id = registrations.PROVIDER_B;
  expect(await detailOf(id, "clientIds clients { slug }")).toEqual({ clientIds: null, clients: null });
  const ids: string[] = [];
  for (const slug of ["zebra", "other", "ant"]) {
    const { id: applicationId } = await createApplication(service, slug);
    if (slug === "other") continue;
    ids.push(applicationId);
    await service.prisma.registrationApplication.create({ data: { registrationId: id, applicationId } });
  }
  await service.prisma.providerRegistration.update({ where: { id }, data: { allApplications: false } });
  const clients = [{ slug: "ant" }, { slug: "zebra" }];
  expect(await detailOf(id, "clientIds clients { slug }")).toEqual({ clientIds: ids.toSorted(), clients });
});

test("connections are counted only for the registration through which they were made", async () => {
  await createConnection(service, await createApplication(service, "counted"), registrations);
  expect(await detailOf(registrations.PROVIDER_A, "connectionCount")).toEqual({ connectionCount: 1 });
  expect(await detailOf(registrations.PROVIDER_C, "connectionCount")).toEqual({ connectionCount: 0 });
});

test("a registration's connections are only counted for a document that shows their number", async () => {
  const read = (fields: string) => readsOf("connection", () => detailOf(registrations.PROVIDER_A, fields));
  expect(await read("status clients { slug }")).toEqual([]);
  expect(await read("connectionCount")).toHaveLength(1);
});
