import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DevFile } from "../../packages/testkit/src/harness/devFile.ts";
import { run } from "../packages/commands.ts";
import type { PackedPackage } from "../packages/pack.ts";

const SNIPPET_TIMEOUT_MS = 120_000;

/** The first piece of code that a README shows, if that is TypeScript; commands for a shell are run by who sets things up. */
export function firstSnippet(markdown: string): string | null {
  const [, language, code] = /^```(\w*)\n(.*?)^```$/ms.exec(markdown) ?? [];
  return language === "ts" && code !== undefined ? code : null;
}

/**
 * Follows the documentation: copies the first snippet of a README into the folder where `dev` runs and the packages are
 * installed, and runs it with the documented environment.
 */
export async function runSnippet(
  packed: PackedPackage,
  readme: string,
  { folder, program, dev }: { readonly folder: string; readonly program: string; readonly dev: DevFile },
): Promise<boolean> {
  const snippet = firstSnippet(readme);
  if (snippet === null) return false;
  const file = join(folder, `${packed.name.split("/")[1]}-snippet.ts`);
  await writeFile(file, snippet);
  await run(program, ["--disable-warning=ExperimentalWarning", file], {
    folder,
    timeoutMs: SNIPPET_TIMEOUT_MS,
    environment: {
      SOCIAL_CONNECT_URL: dev.consumer.baseUrl,
      SOCIAL_CONNECT_KEY: dev.consumer.key,
      SOCIAL_CONNECT_TENANT: dev.consumer.tenantKeys[0],
      RETURN_URL: dev.consumer.returnUrl,
      SOCIAL_CONNECT_ADMIN_HOST: dev.admin.host,
      SOCIAL_CONNECT_ADMIN_KEY: dev.admin.writeKey,
    },
  });
  return true;
}
