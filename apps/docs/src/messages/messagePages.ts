import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Message, readMessages } from "./readMessages.ts";

/**
 * `messagePages.json` of a project: the pages that explain its messages, where no code has a page of its own. A key is the
 * beginning of the path of sources, of which the longest decides, or the class of an error; null is for texts that are no messages.
 */
interface Places {
  /** Sources of which only errors and refusals are messages. */
  readonly errors?: Readonly<Record<string, string | null>>;
  /** Sources of which each sentence is a message, also one that a rule returns as plain text. */
  readonly sentences?: Readonly<Record<string, string>>;
}

/** A message with the page that explains it: `how-to/deploy`, `reference/errors/`. */
export interface PlacedMessage extends Message {
  readonly page: string;
}

/** The messages in the source of a copy of the repository. A project without `messagePages.json` has none. */
export function listMessages(root: string): readonly PlacedMessage[] {
  const hasPage = (code: string) => existsSync(join(root, `docs/reference/errors/${code}.md`));
  const found = globSync("{apps,packages}/*/messagePages.json", { cwd: root }).flatMap((file) => {
    const { errors = {}, sentences = {} }: Places = JSON.parse(readFileSync(join(root, file), "utf8"));
    const pages = { ...errors, ...sentences };
    const placeOf = (path: string) =>
      Object.keys(pages)
        .filter((place) => path.startsWith(place))
        .reduce((longest, place) => (place.length > longest.length ? place : longest), "");
    const messages = readMessages(join(root, dirname(file)), (path) => placeOf(path) in sentences);
    return messages.flatMap((message) => {
      const { code, error, source } = message;
      if (code !== null && hasPage(code)) return [{ ...message, page: `reference/errors/${code}` }];
      const page = pages[error ?? ""] ?? pages[placeOf(source)];
      return page == null ? [] : [{ ...message, page }];
    });
  });
  const ownPagesFirst = found.toSorted((one, other) => Number(other.code !== null) - Number(one.code !== null));
  return [...new Map(ownPagesFirst.toReversed().map((message) => [message.text, message])).values()].toReversed();
}
