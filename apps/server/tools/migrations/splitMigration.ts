import { NO_TRANSACTION } from "../../src/platform/database/migrations.ts";

/**
 * Takes the indexes of existing tables out of a migration that Prisma wrote. Each becomes a migration that creates or drops it
 * while the service runs: new indexes follow what they need, and indexes are dropped last.
 */
export function splitMigration(sql: string): string[] {
  // Prisma writes a comment above each statement, and a blank line between them.
  const statements = sql.split(/\n\n(?=-- )/).map((statement) => statement.trim());
  const created = new Set(statements.flatMap((statement) => /^CREATE TABLE "([^"]+)"/m.exec(statement)?.[1] ?? []));
  const together: string[] = [];
  const creates: string[] = [];
  const drops: string[] = [];
  for (const statement of statements) {
    const [, unique = "", rest = "", table = ""] =
      /^CREATE (UNIQUE )?INDEX ("[^"]+" ON "([^"]+)".*;)$/m.exec(statement) ?? [];
    const [, dropped] = /^DROP INDEX ("[^"]+");$/m.exec(statement) ?? [];
    if (rest !== "" && !created.has(table)) {
      creates.push(`${NO_TRANSACTION}\nCREATE ${unique}INDEX CONCURRENTLY IF NOT EXISTS ${rest}\n`);
    } else if (dropped !== undefined) {
      drops.push(`${NO_TRANSACTION}\nDROP INDEX CONCURRENTLY IF EXISTS ${dropped};\n`);
    } else {
      together.push(statement);
    }
  }
  return [...(together.length > 0 ? [`${together.join("\n\n")}\n`] : []), ...creates, ...drops];
}
