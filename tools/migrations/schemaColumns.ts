/**
 * The columns that a client of a schema.prisma reads, by table. A field with `@ignore` is in the database and in no
 * client, so a release that ignores it makes way for a later one that drops it.
 */
export function columnsOfSchema(schema: string): Record<string, string[]> {
  const models = new Map<string, string>();
  for (const [, name = "", body = ""] of schema.matchAll(/^model (\w+) \{\n(.*?)^\}/gms)) models.set(name, body);
  const tables: Record<string, string[]> = {};
  for (const [name, body] of models) {
    const fields = body.split("\n").map((line) => line.trim());
    const columns = fields.flatMap((line) => {
      const [field = "", type = ""] = line.split(/\s+/);
      if (!/^[a-z]\w*$/i.test(field) || models.has(type.replace(/[?[\]]+$/, "")) || /@ignore\b/.test(line)) return [];
      return [/@map\("([^"]+)"\)/.exec(line)?.[1] ?? field];
    });
    tables[/@@map\("([^"]+)"\)/.exec(body)?.[1] ?? name] = columns;
  }
  return tables;
}
