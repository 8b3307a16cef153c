import { CloseButton, Text } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { MOST_SEARCHED_CHARACTERS } from "@social-connect/domain";
import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { type PaletteItem, pageItem } from "./items.ts";
import { groupsOf } from "./matching.ts";
import classes from "./Palette.module.css";
import { type PaletteMode, usePaletteItems } from "./usePaletteItems.ts";

interface PaletteProps {
  /** The top-level pages. */
  readonly pages: readonly { readonly to: string; readonly label: string }[];
  readonly onClose: () => void;
}

const HINTS: Readonly<Record<PaletteMode, string>> = {
  all: "Search pages, clients, keys, admins, users and ids",
  issueKey: "Issue a key: choose a client",
};

/** A combobox over pages, records and actions (ARIA Authoring Practices: combobox with a list popup). */
export function Palette({ pages, onClose }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const listId = useId();
  const [text, setText] = useState("");
  const [mode, setMode] = useState<PaletteMode>("all");
  const [chosenId, setChosenId] = useState<string | null>(null);
  // Enter opens the first result for what was typed, which the service may not have found yet.
  const [awaited, setAwaited] = useState<{ readonly isModified: boolean } | null>(null);
  const open = useOpenTarget();
  const enter = (next: PaletteMode) => {
    setMode(next);
    setText("");
    setChosenId(null);
    setAwaited(null);
  };
  const { items, isFirstFinal, isSearching, hasFailed } = usePaletteItems(text, mode, pages.map(pageItem), enter);
  const chosen = items.find(({ id }) => id === chosenId);
  const active = chosen ?? items[0];

  // Closed before it is removed, so that the browser returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  // Back and Forward leave the page that it covers.
  useWindowEvent("popstate", onClose);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list scrolls to another active option
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active?.id]);

  const run = (item: PaletteItem, isModified: boolean) => {
    if (typeof item.target !== "function") {
      open(item.target, isModified);
      return onClose();
    }
    item.target();
    if (item.id !== "issue-key") onClose();
  };
  useEffect(() => {
    if (awaited === null || !isFirstFinal) return;
    setAwaited(null);
    if (active !== undefined) run(active, awaited.isModified);
  });
  const move = (by: number) => {
    setAwaited(null);
    const index = items.findIndex(({ id }) => id === active?.id);
    setChosenId(items.at((index + by) % items.length)?.id ?? null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that confirms the text of an input method is not for the list.
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && items.length > 0) {
      event.preventDefault();
      move(step);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const isModified = event.ctrlKey || event.metaKey;
      if (chosen === undefined && !isFirstFinal) setAwaited({ isModified });
      else if (active !== undefined) run(active, isModified);
    } else if (event.key === "Backspace" && text === "" && mode !== "all") enter("all");
  };
  const isEmpty = items.length === 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-label="Command palette"
      onCancel={(event) => {
        event.preventDefault();
        if (mode === "all") onClose();
        else enter("all");
      }}
      onClick={(event) => {
        // Clicks on the backdrop have the dialog itself as target.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className={classes.body}>
        <div className={classes.head}>
          <input
            className={classes.input}
            type="text"
            role="combobox"
            aria-label={HINTS[mode]}
            aria-expanded={!isEmpty}
            aria-controls={isEmpty ? undefined : listId}
            aria-autocomplete="list"
            aria-activedescendant={active && `${listId} ${active.id}`.replaceAll(" ", "-")}
            placeholder={HINTS[mode]}
            value={text}
            maxLength={MOST_SEARCHED_CHARACTERS}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setChosenId(null);
              setAwaited(null);
            }}
            onKeyDown={onKeyDown}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
          />
          <CloseButton aria-label="Close" onClick={onClose} />
        </div>
        {!isEmpty && (
          <div id={listId} role="listbox" aria-label="Results" className={classes.list}>
            {groupsOf(items).map(([group, members]) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
              <div key={group} role="group" aria-label={group}>
                <div className={classes.group} aria-hidden>
                  {group}
                </div>
                {members.map((item) => (
                  <Option
                    key={item.id}
                    id={`${listId} ${item.id}`.replaceAll(" ", "-")}
                    item={item}
                    isActive={item.id === active?.id}
                    onPoint={() => setChosenId(item.id)}
                    onRun={(isModified) => run(item, isModified)}
                  />
                ))}
              </div>
            ))}
          </div>
        )}
        <p className={classes.foot} role="status">
          {hasFailed && "A search failed: some results are missing. "}
          {countText(items.length, isSearching)}
        </p>
      </div>
    </dialog>
  );
}

interface OptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onRun: (isModified: boolean) => void;
}

function Option({ id, item: { label, detail }, isActive, onPoint, onRun }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.option}
      // Browsers also report a pointer that rests while the list below it changes.
      onMouseMove={({ movementX, movementY }) => {
        if (!isActive && (movementX !== 0 || movementY !== 0)) onPoint();
      }}
      // The focus stays in the text field.
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
      onClick={(event) => onRun(event.ctrlKey || event.metaKey)}
    >
      <span className={classes.label}>{label}</span>
      {detail !== undefined && (
        <Text span size="xs" c="dimmed" className={classes.detail}>
          {detail}
        </Text>
      )}
    </div>
  );
}

function countText(count: number, isSearching: boolean): string {
  if (isSearching) return "Searching…";
  if (count === 0) return "No results";
  return `${count} ${count === 1 ? "result" : "results"}`;
}

/** Opens a page, in a new tab if the key or click was modified and the URL names everything. */
function useOpenTarget() {
  const router = useRouter();
  return ({ to, search = {}, state }: Exclude<PaletteItem["target"], () => void>, isModified: boolean) => {
    if (isModified && state === undefined)
      window.open(router.buildLocation({ to, search } as never).publicHref, "_blank", "noopener");
    else void router.navigate({ to, search, ...(state && { state }) } as never);
  };
}
