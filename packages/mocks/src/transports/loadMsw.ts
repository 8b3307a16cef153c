import { MockMisuseError } from "../util/misuse.ts";
import type { MswParts } from "./mswHandlers.ts";

interface NodeModule {
  createRequire(from: string): (name: string) => unknown;
}

/**
 * Loads MSW, an optional dependency, synchronously on first use. Node returns the same module that the test imports. Other
 * runtimes import `@social-connect/mocks/msw`.
 */
export function loadMsw(): MswParts {
  const runtime: { process?: { getBuiltinModule?: (name: string) => unknown; cwd?: () => string } } = globalThis;
  const node = runtime.process?.getBuiltinModule?.("node:module") as NodeModule | undefined;
  const bases = [import.meta.url, `file://${runtime.process?.cwd?.() ?? ""}/`].filter((base) => base !== undefined);
  for (const base of node === undefined ? [] : bases) {
    try {
      return node?.createRequire(base)("msw") as MswParts;
    } catch {
      // Try the next base; the error below describes the alternatives.
    }
  }
  throw new MockMisuseError(
    'MSW could not be loaded. Install msw 2.11 or newer, or use: import { handlers } from "@social-connect/mocks/msw"; setupServer(...handlers(mock));',
  );
}
