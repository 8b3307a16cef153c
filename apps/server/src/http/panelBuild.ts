import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { getMimeType } from "hono/utils/mime";

/** Extensions of compressed copies, the smallest first. They are made when the panel is built. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;
const INDEX = "index.html";

interface Listing {
  readonly indexChangedAtMs: number;
  readonly index: string;
  readonly names: ReadonlySet<string>;
}

/**
 * The built panel. Files are found in a listing of the folder and never by joining paths, so a URL cannot leave the
 * folder. The folder is listed again when its index.html has changed, so that a panel that is built while the service
 * runs is served.
 */
export class PanelBuild {
  readonly #folder: string;
  #listing: Listing | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The content of index.html; null when the panel is not built. */
  async index(): Promise<string | null> {
    return (await this.#list())?.index ?? null;
  }

  /** A file by its path in the folder, with forward slashes, in an encoding that the caller accepts; null when it does not exist. */
  async file(name: string, acceptEncoding: string) {
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

/** Longer than any browser's header. */
const MAX_HEADER_LENGTH = 1_024;

/** Whether a caller accepts an encoding: by name or by `*`, with a weight above zero (RFC 9110 12.5.3). */
export function accepts(acceptEncoding: string, coding: string): boolean {
  if (acceptEncoding.length > MAX_HEADER_LENGTH) return false;
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
