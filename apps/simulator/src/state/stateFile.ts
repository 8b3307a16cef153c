import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import type { OpenedAccount } from "../accounts/catalogue.ts";
import { openedAccount } from "../accounts/catalogue.ts";
import type { PostChanges } from "../accounts/posts.ts";
import type { SavedGrants } from "./grants.ts";

/** What outlives a restart: tokens issued earlier go on working, posts stay what they were, the issuer keeps its keys. */
export interface SavedState {
  readonly version: 1;
  readonly seed: string;
  /** The first start, by the simulator's clock. */
  readonly createdAt: string;
  readonly clockOffsetMs: number;
  /** Accounts that a control call opened. */
  readonly accounts: readonly OpenedAccount[];
  readonly grants: SavedGrants;
  readonly posts: PostChanges;
  /** The issuer's private signing keys as JSON Web Keys. */
  readonly issuerKeys: readonly Record<string, unknown>[];
}

/** Its outline is checked, so that a foreign file is refused; its parts are the simulator's own writing. */
const outline = z.object({
  version: z.literal(1),
  seed: z.string(),
  createdAt: z.iso.datetime(),
  clockOffsetMs: z.number(),
  // A file from before accounts could be opened has none.
  accounts: z.array(openedAccount).default([]),
  grants: z.custom<SavedGrants>(
    (value) =>
      z
        .object({ grants: z.array(z.object({ id: z.string() })), tokens: z.array(z.array(z.unknown())) })
        .safeParse(value).success,
  ),
  posts: z.custom<PostChanges>(
    (value) => z.object({ published: z.looseObject({}), visibility: z.looseObject({}) }).safeParse(value).success,
  ),
  issuerKeys: z.array(z.record(z.string(), z.unknown())),
});

/** null when there is no file yet. Throws a message for the person who starts the simulator when the file is something else. */
export async function readStateFile(path: string): Promise<SavedState | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Error(`The state file ${path} cannot be read; check who may read it.`, { cause: error });
  }
  const parsed = outline.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`${path} is not a state file of this simulator; remove it or name another one.`);
  return parsed.data;
}

export interface StateWriter {
  /** Asks for a write soon; many requests in a row make one write. */
  schedule(): void;
  /** Writes what is still to be written. */
  flush(): Promise<void>;
}

/** Writes to a second file and renames it, so that a crash leaves the old state or the new one and never half of one. */
export function createStateWriter(path: string, current: () => SavedState): StateWriter {
  let writing: Promise<void> = Promise.resolve();
  let wanted = false;

  const write = async (): Promise<void> => {
    if (!wanted) return;
    wanted = false;
    const temporary = `${path}.${randomUUID()}`;
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary, JSON.stringify(current()), { mode: 0o600 });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      console.error(
        `The simulator's state could not be written to ${path}:`,
        error instanceof Error ? error.message : error,
      );
    }
  };

  return {
    schedule: () => {
      if (wanted) return;
      wanted = true;
      writing = writing.then(write);
    },
    flush: () => writing,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
