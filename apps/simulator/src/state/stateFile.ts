import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { createdAccount } from "../accounts/catalogue.ts";
import type { PostChanges } from "../accounts/posts.ts";
import { jsonText } from "../shared/jsonText.ts";
import { warn } from "../shared/warn.ts";
import type { SavedGrants } from "./grants.ts";

/** The state that survives a restart. Only the top level is validated, to reject other files. */
const outline = z.object({
  version: z.literal(1),
  seed: z.string(),
  createdAt: z.iso.datetime(),
  clockOffsetMs: z.number(),
  // Older state files have no `accounts`.
  accounts: z.array(createdAccount).readonly().default([]),
  grants: z.custom<SavedGrants>(
    (value) =>
      z
        .object({ grants: z.array(z.object({ id: z.string() })), tokens: z.array(z.array(z.unknown())) })
        .safeParse(value).success,
  ),
  posts: z.custom<PostChanges>(
    (value) => z.object({ published: z.looseObject({}), visibility: z.looseObject({}) }).safeParse(value).success,
  ),
  /** The issuer's private signing keys as JSON Web Keys. */
  issuerKeys: z.array(z.record(z.string(), z.unknown())),
});

export type SavedState = z.output<typeof outline>;

/** Returns null if the file does not exist. Throws if it is not a state file. */
export async function readStateFile(path: string): Promise<SavedState | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    const remedy = code === "EISDIR" ? "It is a folder; name a file" : "Check its path and permissions";
    throw new Error(`The state file ${path} cannot be read (${code}). ${remedy} in SIMULATOR_STATE_FILE.`, {
      cause: error,
    });
  }
  const parsed = jsonText(outline).safeParse(text);
  if (!parsed.success)
    throw new Error(
      `${path} is not a state file of this simulator. Delete it, or name another file in SIMULATOR_STATE_FILE.`,
    );
  return parsed.data;
}

/** Writes atomically to a temporary file that is renamed. */
export function createStateWriter(path: string, current: () => SavedState) {
  let writing: Promise<void> = Promise.resolve();
  let wanted = false;

  const write = async (): Promise<void> => {
    if (!wanted) return;
    wanted = false;
    const temporary = `${path}.${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary, JSON.stringify(current()), { mode: 0o600, flag: "wx" });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      warn(`Cannot write the simulator's state to ${path}:`, error instanceof Error ? error.message : error);
    }
  };

  return {
    /** Schedules a write; subsequent calls are combined. */
    schedule: (): void => {
      if (wanted) return;
      wanted = true;
      writing = writing.then(write);
    },
    flush: (): Promise<void> => writing,
  };
}
