import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { PaletteReferenceDocument } from "../_generated/palette.ts";
import { request } from "../api/request.ts";
import { leave } from "../ui/leave.ts";
import { findClients, findPeople, PAGE_ACTIONS, type PaletteItem, readRecords, referencedItems } from "./items.ts";
import { canBeId, canBeUserId, containsText, findMatches, groupsOf, isNamed, rotationOf } from "./matching.ts";

/** `issueKey`: the palette only lists clients, to issue a key for one. */
export type PaletteMode = "all" | "issueKey";

interface Found {
  /** In the order of their groups. */
  readonly items: readonly PaletteItem[];
  /** Whether the first item stays the first when all searches have ended. */
  readonly isFirstFinal: boolean;
  /** A search at the service has not ended yet. */
  readonly isSearching: boolean;
  /** A part of the results is missing because a search failed. */
  readonly hasFailed: boolean;
}

const TYPING_MS = 150;

/** The items for a text: pages and actions immediately, records when the service has responded. */
export function usePaletteItems(
  text: string,
  mode: PaletteMode,
  pages: readonly PaletteItem[],
  setMode: (mode: PaletteMode) => void,
): Found {
  const typed = text.trim();
  const [wanted] = useDebouncedValue(typed, TYPING_MS);
  const rotated = mode === "all" ? rotationOf(wanted) : null;
  const opened = mode === "issueKey" ? "issueKey" : rotated === null ? "open" : "rotateKey";
  const sought = rotated ?? wanted;
  const clients = useQuery({
    queryKey: ["palette", "clients", opened, sought],
    queryFn: () => findClients(sought, opened),
    enabled: mode === "issueKey" || wanted !== "",
    // Items of the other mode open another page.
    placeholderData: (before, query) => (query?.queryKey[2] === opened ? before : undefined),
  });
  const records = useQuery({ queryKey: ["palette", "records"], queryFn: readRecords, enabled: mode === "all" });
  const references = useQuery({
    queryKey: ["palette", "reference", wanted],
    queryFn: async () => referencedItems((await request(PaletteReferenceDocument, { id: wanted })).found),
    enabled: mode === "all" && canBeId(wanted),
  });
  const people = useQuery({
    queryKey: ["palette", "people", wanted],
    queryFn: () => findPeople(wanted),
    enabled: mode === "all" && canBeUserId(wanted),
  });
  const actions = useActions(setMode);
  const searches = mode === "issueKey" ? [clients] : [clients, records, references, people];
  const isSearching = typed !== wanted || searches.some(({ fetchStatus }) => fetchStatus === "fetching");
  const hasFailed = searches.some(({ error }) => error !== null);
  // While the service searches, clients that it found for an earlier text stay only if they match: Enter opens the first one.
  const isOutdated = typed !== wanted || clients.isPlaceholderData;
  const rotating = rotationOf(typed);
  const isSamePage = (rotating === null) === (rotated === null);
  const found = (clients.data ?? []).filter(
    (item) => !isOutdated || (isSamePage && containsText(item, rotating ?? typed)),
  );
  if (mode === "issueKey") return { items: found, isFirstFinal: !isSearching, isSearching, hasFailed };
  if (typed === "") return { items: [...pages, ...actions], isFirstFinal: true, isSearching: false, hasFailed };
  const own = findMatches([...pages, ...actions], typed);
  const named = own.filter((item) => isNamed(item, typed));
  const stored = findMatches(records.data ?? [], typed);
  const isStored = ({ id }: PaletteItem) => stored.some((item) => item.id === id);
  const referenced = (references.data ?? []).filter((item) => !isStored(item));
  const items = [
    ...named,
    ...found,
    ...stored,
    ...(typed === wanted ? [...referenced, ...(people.data ?? [])] : []),
    ...own.filter((item) => !named.includes(item)),
  ];
  const isFirstFinal = named.length > 0 || !isSearching;
  return { items: groupsOf(items).flatMap(([, members]) => members), isFirstFinal, isSearching, hasFailed };
}

function useActions(setMode: (mode: PaletteMode) => void): readonly PaletteItem[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = (["light", "dark", "auto"] as const).filter((scheme) => scheme !== colorScheme);
  return [
    ...PAGE_ACTIONS,
    {
      id: "issue-key",
      group: "Actions",
      label: "Issue an application key…",
      keywords: "client create new rotate",
      target: () => setMode("issueKey"),
    },
    ...schemes.map((scheme) => ({
      id: `scheme-${scheme}`,
      group: "Actions",
      label: scheme === "auto" ? "Use the system’s colors" : `Use ${scheme} colors`,
      keywords: "toggle color scheme theme appearance mode",
      target: () => setColorScheme(scheme),
    })),
    {
      id: "sign-out",
      group: "Actions",
      label: "Sign out",
      keywords: "log out leave end session",
      target: () => void leave(),
    },
  ];
}
