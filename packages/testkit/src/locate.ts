/** Which elements a locator means, as JSON for the page. */
export type Query =
  | { readonly css: string }
  | { readonly role: string; readonly name: Pattern | null }
  | { readonly text: Pattern }
  | { readonly label: Pattern }
  | { readonly inside: Query; readonly find: Query }
  | { readonly both: readonly [Query, Query] }
  | { readonly either: readonly [Query, Query] }
  | { readonly first: Query }
  | { readonly filter: Query; readonly hasText: Pattern };

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** As Playwright compares: a text is a part of the element's, in any case, unless it is exact. */
export function patternOf(text: string | RegExp, { exact = false }: { readonly exact?: boolean } = {}): Pattern {
  if (typeof text !== "string") return { source: text.source, flags: text.flags };
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return exact ? { source: `^\\s*${source}\\s*$`, flags: "" } : { source, flags: "i" };
}

interface PageElement {
  readonly textContent: string | null;
  querySelectorAll(css: string): Iterable<PageElement>;
}
type FindAll = (root: PageElement, wanted: RegExp | string, options?: { readonly name?: RegExp }) => PageElement[];
declare const TestingLibraryDom: Record<"queryAllByRole" | "queryAllByText" | "queryAllByLabelText", FindAll>;
declare const document: { readonly body: PageElement };

/** Runs in the page, after Testing Library, and therefore uses no other function of this module. */
export function locate(query: Query): PageElement[] {
  const regExp = ({ source, flags }: Pattern) => new RegExp(source, flags);
  const find = (wanted: Query, root: PageElement): PageElement[] => {
    if ("css" in wanted) return [...root.querySelectorAll(wanted.css)];
    if ("role" in wanted)
      return TestingLibraryDom.queryAllByRole(root, wanted.role, wanted.name ? { name: regExp(wanted.name) } : {});
    if ("text" in wanted) return TestingLibraryDom.queryAllByText(root, regExp(wanted.text));
    if ("label" in wanted) return TestingLibraryDom.queryAllByLabelText(root, regExp(wanted.label));
    if ("inside" in wanted) {
      const found = find(wanted.inside, root).flatMap((element) => find(wanted.find, element));
      return [...new Set(found)];
    }
    if ("both" in wanted) {
      const others = find(wanted.both[1], root);
      return find(wanted.both[0], root).filter((element) => others.includes(element));
    }
    if ("either" in wanted) return [...new Set(wanted.either.flatMap((each) => find(each, root)))];
    if ("first" in wanted) return find(wanted.first, root).slice(0, 1);
    return find(wanted.filter, root).filter(({ textContent }) => regExp(wanted.hasText).test(textContent ?? ""));
  };
  return find(query, document.body);
}
