import { mkdtempDisposable, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder, which is removed with everything in it. */
export async function scratchFolder(name: string) {
  const made = await mkdtempDisposable(join(tmpdir(), `social-connect-${name}-`));
  return { path: await realpath(made.path), [Symbol.asyncDispose]: () => made.remove() };
}
