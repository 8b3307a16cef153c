import { MockMisuseError } from "../util/misuse.ts";
import type { MswParts } from "./mswHandlers.ts";

interface NodeModule {
  createRequire(from: string): (name: string) => unknown;
}

/**
 * MSW, which is optional, at the moment it is asked for and in one go: the same copy that a test imports, because Node gives
 * an ES module once however it is loaded. Where there is no Node, `@social-connect/mocks/msw` imports it in the usual way.
 */
export function loadMsw(): MswParts {
  const runtime: { process?: { getBuiltinModule?: (name: string) => unknown; cwd?: () => string } } = globalThis;
  const node = runtime.process?.getBuiltinModule?.("node:module") as NodeModule | undefined;
  const places = [import.meta.url, `file://${runtime.process?.cwd?.() ?? ""}/`].filter((place) => place !== undefined);
  for (const place of node === undefined ? [] : places) {
    try {
      return node?.createRequire(place)("msw") as MswParts;
    } catch {
      // Looked for in the next place; what is said at the end says how to go on.
    }
  }
  throw new MockMisuseError(
    'MSW could not be loaded. Install msw, 2.11 or newer, or write: import { handlers } from "@social-connect/mocks/msw"; setupServer(...handlers(mock));',
  );
}
