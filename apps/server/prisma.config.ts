import { defineConfig } from "prisma/config";

/** Only the generators run from here. Migrations are applied by `social-connect migrate`, with no binary to download. */
export default defineConfig({ schema: "prisma/schema.prisma", migrations: { path: "prisma/migrations" } });
