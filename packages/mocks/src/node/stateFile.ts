import { open, readFile, rename } from "node:fs/promises";
import type { ConsumerMock } from "../mock/consumerMock.ts";
import { sha256Hex } from "../util/hash.ts";
import { MockMisuseError } from "../util/misuse.ts";

/** Changes with the format of this file. The snapshot has its own format. */
const FORMAT = "social-connect-mocks-state/1";
/** Only the owner may read it: the keys of the mock follow from the seed that it contains. */
const MODE = 0o600;

interface Content {
  readonly format: typeof FORMAT;
  /** SHA-256 of the snapshot, to detect damage. */
  readonly checksum: string;
  readonly snapshot: string;
}

/** Keeps the state of a mock in a file, so that a restarted mock continues with it. */
export class StateFile {
  readonly #path: string;
  readonly #mock: ConsumerMock;
  #written = "";
  #isDirty = false;
  #writing: Promise<void> | null = null;

  constructor(path: string, mock: ConsumerMock) {
    this.#path = path;
    this.#mock = mock;
  }

  /** Restores the state; false when there is no file yet. Throws a MockMisuseError for a file that cannot be used. */
  async load(seed: string | undefined): Promise<boolean> {
    const text = await readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return null;
      throw new MockMisuseError(
        `The state file ${this.#path} cannot be read (${error.code}). Check its path and owner.`,
      );
    });
    if (text === null) return false;
    const snapshot = snapshotIn(text);
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

  /** Writes aside and renames, so that a reader and a crash never meet half a file. */
  async #write(content: Content): Promise<void> {
    const draft = `${this.#path}.tmp`;
    try {
      const file = await open(draft, "w", MODE);
      try {
        // A draft that a crash has left may have another mode.
        await file.chmod(MODE);
        await file.writeFile(JSON.stringify(content));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, this.#path);
    } catch (error) {
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

function snapshotIn(text: string): string | null {
  try {
    const { format, checksum, snapshot } = JSON.parse(text) as Partial<Content>;
    const isWhole = format === FORMAT && typeof snapshot === "string" && sha256Hex(snapshot) === checksum;
    return isWhole ? snapshot : null;
  } catch {
    return null;
  }
}
