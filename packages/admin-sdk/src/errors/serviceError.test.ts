import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { build } from "esbuild";
import { expect, it } from "vitest";
import type * as source from "../wire/serviceErrors.ts";

it("is printed with its name, also by the bundle", async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../wire/serviceErrors.ts", import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    target: "node22",
    conditions: ["@social-connect/source"],
  });
  const bundled: typeof source = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? "")}`);
  for (const { serviceError } of [bundled, await import("../wire/serviceErrors.ts")]) {
    expect(inspect(serviceError({ code: "NEW_CODE", message: "" }))).toMatch(/^ServiceError: /);
  }
});
