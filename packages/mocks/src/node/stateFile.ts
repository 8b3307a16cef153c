import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { parseJson } from "@social-connect/transport";
import type { ConsumerMock } from "../mock/consumerMock.ts";
import { sha256Hex } from "../util/hash.ts";
import { MockMisuseError } from "../util/misuse.ts";

const ONLY_OWNER = 0o600;

/**
 * Replaces a file, or creates it, for its owner only. Writes aside and renames, so that a reader and a crash never meet half
 * a file. Returns the stats of the new file.
 */
export async function replacePrivateFile(path: string, text: string): Promise<Stats> {
  // Another process that writes to the same path has its own draft.
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, "wx", ONLY_OWNER);
    try {
      await file.writeFile(text);
      await file.sync();
      const stats = await file.stat();
      await rename(draft, path);
      return stats;
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Changes with the format of this file. The snapshot has its own format. */
const FORMAT = "social-connect-mocks-state/1";

interface Content {
  readonly format: typeof FORMAT;
  /** SHA-256 of the snapshot, to detect damage. */
  readonly checksum: string;
  readonly snapshot: string;
}

/**
 * Keeps the state of a mock in a file, so that a restarted mock continues with it. Only the owner may read it: the keys of the
 * mock follow from the seed that it contains.
 */
export class StateFile {
  readonly #path: string;
  readonly #mock: ConsumerMock;
  #written = "";
  /** Identifies the file that was read or written last; null without one. */
  #version: string | null = null;
  #isDirty = false;
  #writing: Promise<void> | null = null;

  constructor(path: string, mock: ConsumerMock) {
    this.#path = path;
    this.#mock = mock;
  }

  /** Restores the state; false when there is no file yet. Throws a MockMisuseError for a file that cannot be used. */
  async load(seed: string | undefined): Promise<boolean> {
    const found = await readVersion(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw new MockMisuseError(
        `The state file ${this.#path} cannot be read (${error.code}). Check its path and owner.`,
      );
    });
    if (found === null) return false;
    const snapshot = snapshotIn(found.text);
    if (snapshot === null) throw this.#unusable("is damaged, or is not a state file of this version of the mock");
    try {
      this.#mock.restore(snapshot);
    } catch (error) {
      if (!(error instanceof MockMisuseError)) throw error;
      throw this.#unusable(`does not fit this mock. ${error.message}`);
    }
    if (seed !== undefined && this.#mock.seed !== seed)
      throw this.#unusable(`has the seed ${JSON.stringify(this.#mock.seed)}, not ${JSON.stringify(seed)}`);
    this.#written = snapshot;
    this.#version = found.version;
    return true;
  }

  /** Writes the state if it has changed. While a write is in progress, one more follows it. */
  save(): Promise<void> {
    this.#isDirty = true;
    this.#writing ??= this.#writeUntilClean();
    return this.#writing;
  }

  async #writeUntilClean(): Promise<void> {
    await null;
    try {
      // A request that changes the state during a write is part of the next one.
      while (this.#isDirty) {
        this.#isDirty = false;
        const snapshot = this.#mock.snapshot();
        if (snapshot === this.#written) continue;
        await this.#write({ format: FORMAT, checksum: sha256Hex(snapshot), snapshot });
        this.#written = snapshot;
      }
    } finally {
      // Together with the end of the loop, so that no save is missed between them.
      this.#writing = null;
    }
  }

  async #write(content: Content): Promise<void> {
    try {
      const found = await stat(this.#path).then(versionOf, () => null);
      if (found !== null && found !== this.#version)
        throw new MockMisuseError(
          `Another process has written the state file ${this.#path}, so this mock no longer does. Use one file for one mock.`,
        );
      this.#version = versionOf(await replacePrivateFile(this.#path, JSON.stringify(content)));
    } catch (error) {
      if (error instanceof MockMisuseError) throw error;
      const { code } = error as NodeJS.ErrnoException;
      throw new MockMisuseError(
        `The state file ${this.#path} cannot be written (${code}). Check that its folder exists and is writable.`,
      );
    }
  }

  #unusable(why: string): MockMisuseError {
    const sentence = /[.!?]$/.test(why) ? why : `${why}.`;
    return new MockMisuseError(
      `The state file ${this.#path} ${sentence} Delete the file to start without it, or pass another path.`,
    );
  }
}

/** The text of a file, and which file it is. */
async function readVersion(path: string): Promise<{ readonly text: string; readonly version: string }> {
  const file = await open(path);
  try {
    const version = versionOf(await file.stat());
    return { text: await file.readFile("utf8"), version };
  } finally {
    await file.close();
  }
}

/** Each write makes another file. */
function versionOf({ ino, mtimeMs, size }: Stats): string {
  return [ino, mtimeMs, size].join();
}

function snapshotIn(text: string): string | null {
  const { format, checksum, snapshot } = (parseJson(text) ?? {}) as Partial<Content>;
  const isWhole = format === FORMAT && typeof snapshot === "string" && sha256Hex(snapshot) === checksum;
  return isWhole ? snapshot : null;
}
