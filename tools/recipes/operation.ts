import type { Recipe } from "./edits.ts";

/** Admin scripts know a client by its slug. */
export const OPERATION: Recipe = {
  name: "operation",
  mostFiles: 14,
  edits: [
    {
      step: "Name, kind, class",
      file: "packages/contract/src/operations.ts",
      after: "  adminClient: readable,",
      insert: "  adminClientBySlug: readable,",
    },
    {
      step: "Use case, with a rule of the domain",
      file: "apps/server/src/modules/clients/readClients.ts",
      replace: "import { accepted, notFound }",
      by: "import { accepted, checkSlug, notFound }",
    },
    {
      step: "Use case, with a rule of the domain",
      file: "apps/server/src/modules/clients/readClients.ts",
      before: "export async function readClient(",
      insert: `export async function readClientBySlug(
  { prisma }: Service,
  slug: string,
  query: Omit<Prisma.ApplicationFindUniqueArgs, "where"> = {},
): Promise<Application> {
  accepted(checkSlug(slug));
  return accepted((await prisma.application.findUnique({ ...query, where: { slug } })) ?? notFound("The client"));
}
`,
    },
    {
      step: "Field with its description, and arguments for the test of all operations",
      file: "apps/server/src/graphql/admin/clients.ts",
      replace: "import { countClients, listClients, readClient }",
      by: "import { countClients, listClients, readClient, readClientBySlug }",
    },
    {
      step: "Field with its description, and arguments for the test of all operations",
      file: "apps/server/src/graphql/admin/clients.ts",
      before: "  searchClients: t.field({",
      insert: `  adminClientBySlug: t.prismaField({
    type: AdminClient,
    description: "The client with a slug.",
    args: { slug: t.arg.string({ description: "The slug of the client.", required: true }) },
    resolve: (query, _root, { slug }, { service }) => readClientBySlug(service, slug, query),
  }),`,
    },
    {
      step: "Field with its description, and arguments for the test of all operations",
      file: "apps/server/src/graphql/admin/operations.test.ts",
      before: "  setClientEnabled: { enabled: false },",
      insert: `  adminClientBySlug: () => ({ slug: \`client-\${count}\` }),`,
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/modules/clients/changeClient.ts",
      after: "  auditWithEnded,",
      insert: "  checkSlug,",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/modules/clients/changeClient.ts",
      before: "export function readClient(",
      insert: `export function readClientBySlug(world: World, slug: string): Application {
  accepted(checkSlug(slug));
  const client = [...world.state.applications.values()].find((one) => one.slug === slug);
  return accepted(client ?? notFound("The client"));
}
`,
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/graphql/adminResolvers.ts",
      replace: "import { changeClient, createClient, readClient }",
      by: "import { changeClient, createClient, readClient, readClientBySlug }",
    },
    {
      step: "Mocks",
      file: "packages/mocks/src/graphql/adminResolvers.ts",
      before: "    adminProviderAvailability: ({ world })",
      insert:
        "    adminClientBySlug: withArgs<{ slug: string }>(({ world }, { slug }) => readClientBySlug(world, slug)),",
    },
    {
      step: "Method of the admin SDK, and its tests",
      file: "packages/admin-sdk/src/reader.ts",
      before: "  /** The client with this slug, or undefined.",
      insert: `  /** The client with this slug. NotFoundError for an unknown slug. */
  clientBySlug(slug: string, options?: CallOptions): ApiCall<AdminClient> {
    return apiCall(() => exchange(this.#settings, "adminClientBySlug", { slug }, options));
  }
`,
    },
    {
      step: "Method of the admin SDK, and its tests",
      file: "packages/admin-sdk/src/testing/operationCalls.ts",
      after: "  adminClient: (admin, id) => admin.client(id),",
      insert: "  adminClientBySlug: (admin) => admin.clientBySlug(SHOP.slug),",
    },
    {
      step: "Method of the admin SDK, and its tests",
      file: "packages/admin-sdk/src/testing/fakeAdmin.ts",
      before: '      case "adminMembers":',
      insert: `      case "adminClientBySlug": {
        const client = [...this.clients.values()].find(({ slug }) => slug === variables.slug);
        return client === undefined ? refusal("NOT_FOUND") : answered(operation, client);
      }`,
    },
    {
      step: "Reference: the codes with which it can fail",
      file: "packages/codegen/src/referencePages.ts",
      after: '    adminClient: ["NOT_FOUND"],',
      insert: '    adminClientBySlug: ["NOT_FOUND"],',
    },
    {
      step: "Conformance suite: table, valid arguments, a case",
      file: "packages/conformance/src/description/adminSchemaTables.ts",
      after: '  adminClient: read("AdminClient", ID),',
      insert: '  adminClientBySlug: read("AdminClient", { slug: "String!" }),',
    },
    {
      step: "Conformance suite: table, valid arguments, a case",
      file: "packages/conformance/src/cases/admin/support/preparations.ts",
      after: "  adminClient: onClient(() => ({})),",
      insert: "  adminClientBySlug: async (t) => ({ args: { slug: (await t.admin.client()).slug } }),",
    },
    {
      step: "Conformance suite: table, valid arguments, a case",
      file: "packages/conformance/src/cases/admin/clients.ts",
      before: '    id: "S4.admin.setClientDisplayName",',
      insert: `    id: "S4.admin.adminClientBySlug",
    title: "A client is found by its slug; an unknown one is NOT_FOUND, a malformed one BAD_USER_INPUT.",
    reaches: ["admin-operation:adminClientBySlug", "admin-code:NOT_FOUND", "admin-code:BAD_USER_INPUT"],
    run: async (t) => {
      const client = await t.admin.client();
      t.equal(await t.admin.get("adminClientBySlug", { slug: client.slug }), client, "the client");
      await t.admin.refuses("adminClientBySlug", { slug: randomUUID() }, "NOT_FOUND");
      for (const slug of ["", client.slug.toUpperCase(), \`\${client.slug}%\`, "a\\0b"])
        await t.admin.refuses("adminClientBySlug", { slug }, "BAD_USER_INPUT", null, { what: JSON.stringify(slug) });
    },
  },
  {`,
    },
    {
      step: "Release note",
      file: ".changeset/client-by-slug.md",
      create:
        '---\n"@social-connect/contract": minor\n"@social-connect/admin-sdk": minor\n"@social-connect/mocks": minor\n"@social-connect/server": minor\n---\n\nThe admin API and SDK find a client by its slug.\n',
    },
  ],
};
