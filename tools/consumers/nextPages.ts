import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { findTemplate } from "../../packages/create/src/templates.ts";
import { ROOT } from "../packages/publishedPackages.ts";

/** How Next.js renders a page, as `next build` prints it. */
export type Rendering = "static" | "dynamic" | "partial";
const SYMBOLS: Readonly<Record<string, Rendering>> = { "○": "static", ƒ: "dynamic", "◐": "partial" };

const LIB = `import { SocialConnect } from "@social-connect/sdk";

const options = { baseUrl: process.env.SOCIAL_CONNECT_URL ?? "", key: process.env.SOCIAL_CONNECT_KEY ?? "" };
export const social = new SocialConnect(options);
export const user = social.forSubject({ tenantKey: "acme", externalSubjectId: "user-42" });
export const accounts = async () => (await user.connections().toArray({ limit: 10 })).map(({ id }) => id).join();
export const providers = async () => (await social.readiness()).providers.map(({ provider }) => provider).join();
`;

/** A page whose component calls the SDK. */
function page(code: string, imports = "", before = ""): string {
  return `import { Suspense } from "react";
import { accounts, providers, user } from "../../lib/rendering";
${imports}
${before}
async function Content() {
  ${code}
}

export default function Page() {
  return <Suspense fallback={<i>loading</i>}><Content /></Suspense>;
}
`;
}

const CONNECTION = 'import { connection } from "next/server";';
const NAVIGATION = `import { NotFoundError } from "@social-connect/sdk";
import { notFound, redirect } from "next/navigation";
import { connection } from "next/server";`;
const orIfMissing = (action: string) => `await connection();
  try {
    await user.connection("none");
  } catch (error) {
    if (NotFoundError.is(error)) ${action};
    throw error;
  }
  return null;`;

/** Pages for every way of rendering that the guide names. They have no settings, so they exist with cached components too. */
const PAGES: Readonly<Record<string, string>> = {
  "lib/rendering.ts": LIB,
  "app/layout.tsx": `export default function Layout({ children }: { children: React.ReactNode }) {
  return <html lang="en"><body>{children}</body></html>;
}
`,
  "app/plain/page.tsx": page("return <b>{await accounts()}</b>;"),
  "app/dynamic/page.tsx": page("await connection();\n  return <b>{await accounts()}</b>;", CONNECTION),
  "app/missing/page.tsx": page(orIfMissing("notFound()"), NAVIGATION),
  "app/moved/page.tsx": page(orIfMissing('redirect("/plain")'), NAVIGATION),
  "app/handler/route.ts": `import { accounts } from "../../lib/rendering";

export const GET = async () => new Response(\`<b>\${await accounts()}</b>\`);
`,
  "app/action/page.tsx": `import { redirect } from "next/navigation";
import { accounts } from "../../lib/rendering";

async function act() {
  "use server";
  redirect("/acted?" + (await accounts()));
}

export default function Page() {
  return <form action={act}><button>Act</button></form>;
}
`,
};

/** The pages of an application with the usual settings. */
export const DEFAULT_PAGES: Readonly<Record<string, string>> = {
  ...PAGES,
  "app/static/page.tsx": page("return <b>{await providers()}</b>;", "", 'export const dynamic = "force-static";'),
};

/** An application with `cacheComponents`. */
export const CACHED_PAGES: Readonly<Record<string, string>> = {
  ...PAGES,
  "next.config.mjs": "export default { cacheComponents: true };\n",
  "app/page.tsx": "export default function Page() {\n  return <p>Home</p>;\n}\n",
  "app/static/page.tsx": page(
    "return <b>{await cachedProviders()}</b>;",
    "",
    'async function cachedProviders() {\n  "use cache";\n  return providers();\n}',
  ),
};

/** Compares how Next.js renders the pages. */
export function checkRendering(buildOutput: string, expected: Readonly<Record<string, Rendering>>): void {
  for (const [path, rendering] of Object.entries(expected)) {
    const symbol = new RegExp(`^[┌├└] (.) ${path}(?: |$)`, "m").exec(buildOutput)?.[1] ?? "";
    if (SYMBOLS[symbol] !== rendering) throw new Error(`Next.js renders ${path} as ${symbol}:\n${buildOutput}`);
  }
}

/** Opens the pages of a started application. */
export async function provePages(url: string, linked: string): Promise<void> {
  const show = async (path: string, expected: string) => {
    const response = await fetch(url + path, { redirect: "manual" });
    const text = await response.text();
    if (!text.includes(expected)) throw new Error(`Next.js shows ${path} as ${response.status} ${text.slice(0, 500)}`);
  };
  for (const path of ["/plain", "/dynamic", "/handler"]) await show(path, `<b>${linked}</b>`);
  await show("/static", "<b>PROVIDER_A,PROVIDER_B,PROVIDER_C</b>");
  // The response of these pages has started, so Next.js writes the result into it.
  await show("/missing", "NEXT_HTTP_ERROR_FALLBACK;404");
  await show("/moved", "NEXT_REDIRECT;replace;/plain");
  const [, action = ""] = /name="(\$ACTION_ID_\w+)"/.exec(await (await fetch(`${url}/action`)).text()) ?? [];
  const body = new FormData();
  body.set(action, "");
  const acted = await fetch(`${url}/action`, { method: "POST", headers: { origin: url }, body, redirect: "manual" });
  const location = acted.headers.get("location");
  if (!location?.endsWith(`/acted?${linked}`)) throw new Error(`the action answered ${acted.status} ${location}`);
}

/** Replaces the application of a folder with installed packages by that of the template. */
export async function useTemplate(place: string): Promise<void> {
  for (const folder of ["app", "lib", ".next", "next.config.mjs"])
    await rm(join(place, folder), { recursive: true, force: true });
  const templates = join(ROOT, "packages", "create", "templates");
  for (const folder of ["app", "lib"])
    await cp(join(templates, "next", folder), join(place, folder), { recursive: true });
  for (const [path, file] of Object.entries(findTemplate("next")?.shared ?? {}))
    await cp(join(templates, "shared", file), join(place, path));
}
