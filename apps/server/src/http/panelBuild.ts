import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { getMimeType } from "hono/utils/mime";

/** What compressed copies of a file are called, the smaller one first. They are made when the panel is built. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
const INDEX = "index.html";

export interface BuiltFile {
  readonly mediaType: string;
  /** How it is compressed for the caller; null: not at all. */
  readonly encoding: "br" | "gzip" | null;
  readonly body: Buffer<ArrayBuffer>;
}

interface Listing {
  readonly indexChangedAtMs: number;
  readonly index: string;
  readonly names: ReadonlySet<string>;
}

/**
 * The panel as it was built. Files are found by what a listing of the folder holds, never by putting a path together, so
 * an address cannot lead out of it. The folder is listed anew when its index.html has changed: a panel that is built
 * while the service runs is served from then on.
 */
export class PanelBuild {
  readonly #folder: string;
  #listing: Listing | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The text of index.html; null when the panel has not been built. */
  async index(): Promise<string | null> {
    return (await this.#list())?.index ?? null;
  }

  /** A file by its name below the folder, with forward slashes; null when there is none. */
  async file(name: string, acceptEncoding: string): Promise<BuiltFile | null> {
    const names = (await this.#list())?.names;
    if (name === INDEX || !names?.has(name)) return null;
    const mediaType = getMimeType(name) ?? "application/octet-stream";
    const [encoding, ending] = ENCODINGS.find(
      ([coding, suffix]) => names.has(name + suffix) && accepts(acceptEncoding, coding),
    ) ?? [null, ""];
    const body = await readFile(join(this.#folder, name + ending)).catch(ignoreMissing);
    return body && { mediaType, encoding, body };
  }

  async #list(): Promise<Listing | null> {
    const path = join(this.#folder, INDEX);
    const state = await stat(path).catch(ignoreMissing);
    if (state === null) return null;
    if (this.#listing?.indexChangedAtMs === state.mtimeMs) return this.#listing;
    const [index, entries] = await Promise.all([
      readFile(path, "utf8").catch(ignoreMissing),
      readdir(this.#folder, { recursive: true, withFileTypes: true }),
    ]);
    if (index === null) return null;
    const names = new Set(entries.filter((entry) => entry.isFile()).map((entry) => this.#nameOf(entry)));
    this.#listing = { indexChangedAtMs: state.mtimeMs, index, names };
    return this.#listing;
  }

  #nameOf({ parentPath, name }: Dirent): string {
    return relative(this.#folder, join(parentPath, name)).split(sep).join("/");
  }
}

/** No browser sends as much. */
const LONGEST_HEADER = 1_024;

/** Whether a caller takes a coding: named, or by `*`, and not with a weight of nothing (RFC 9110 12.5.3). */
export function accepts(acceptEncoding: string, coding: string): boolean {
  if (acceptEncoding.length > LONGEST_HEADER) return false;
  const weights = new Map(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
        const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice("q=".length);
        return [name, weight === undefined ? 1 : Number(weight)];
      }),
  );
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}
