/** A kind of application. Its own files are in `templates/<name>`. */
export interface Template {
  readonly name: string;
  readonly title: string;
  /** Files of `templates/shared`, by their path in the application. */
  readonly shared: Readonly<Record<string, string>>;
}

const SERVER = {
  ".gitignore": "gitignore",
  "tsconfig.json": "typescript.json",
  "src/social.ts": "social.ts",
  "src/events.ts": "events.ts",
  "src/pages.ts": "pages.ts",
  "src/texts.ts": "texts.ts",
};
const NEXT = {
  ".gitignore": "next-gitignore",
  "tsconfig.json": "next-typescript.json",
  "lib/events.ts": "events.ts",
  "lib/texts.ts": "texts.ts",
};
const NEST = {
  ".gitignore": "nest-gitignore",
  "tsconfig.json": "nest-typescript.json",
  "src/events.ts": "events.ts",
  "src/pages.ts": "pages.ts",
  "src/texts.ts": "texts.ts",
};

/** The templates, in the order in which they are offered. */
export const TEMPLATES = [
  { name: "express", title: "Express", shared: SERVER },
  { name: "next", title: "Next.js", shared: NEXT },
  { name: "hono", title: "Hono", shared: SERVER },
  { name: "nest", title: "NestJS", shared: NEST },
  { name: "fastify", title: "Fastify", shared: SERVER },
] as const satisfies readonly Template[];

/** The name of a template. */
export type TemplateName = (typeof TEMPLATES)[number]["name"];

/** The template of a name, or undefined. */
export function findTemplate(name: string): Template | undefined {
  return TEMPLATES.find((template) => template.name === name);
}
