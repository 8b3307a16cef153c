import { ActionIcon, Button } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import classes from "./ActionMenu.module.css";

interface MenuAction {
  readonly label: string;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  /** For an item that is one of several choices. */
  readonly isChecked?: boolean;
}

interface ActionMenuProps {
  readonly label: string;
  readonly icon: ReactNode;
  /** Whether the button shows its label. */
  readonly isLabeled?: boolean;
  /** Above the items. */
  readonly heading?: ReactNode;
  readonly items: readonly MenuAction[];
}

/**
 * A button that opens a menu below it (WAI-ARIA Authoring Practices, menu button). The library's menu positions itself
 * anywhere on a page; that code would be a tenth of the first load.
 */
export function ActionMenu({ label, icon, isLabeled = false, heading, items }: ActionMenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setIsOpen(false);
    opener.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const items = itemsOf(frame.current);
    (items.find((item) => item.ariaChecked === "true") ?? items[0])?.focus();
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !frame.current?.contains(target)) setIsOpen(false);
    };
    document.addEventListener("pointerdown", closeOutside);
    document.addEventListener("focusin", closeOutside);
    return () => {
      document.removeEventListener("pointerdown", closeOutside);
      document.removeEventListener("focusin", closeOutside);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab") return setIsOpen(false);
    if (event.key === "Escape") close();
    else if (!moveFocus(itemsOf(frame.current), event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const button = {
    ref: opener,
    "aria-haspopup": "menu",
    "aria-expanded": isOpen,
    "aria-controls": isOpen ? id : undefined,
    onClick: () => setIsOpen(!isOpen),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown" || isOpen) return;
      event.preventDefault();
      setIsOpen(true);
    },
  } as const;
  return (
    <div className={classes.frame} ref={frame}>
      {isLabeled ? (
        <Button variant="default" leftSection={icon} {...button}>
          {label}
        </Button>
      ) : (
        <ActionIcon variant="default" size={38} radius="xl" aria-label={label} {...button}>
          {icon}
        </ActionIcon>
      )}
      {isOpen && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the items of the menu have the focus
        <div className={classes.dropdown} onKeyDown={onKeyDown}>
          {heading !== undefined && <div className={classes.heading}>{heading}</div>}
          <div role="menu" id={id} aria-label={label}>
            {items.map(({ label: text, icon: before, onSelect, isChecked }) => (
              // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a checked state makes it a radio item
              <button
                key={text}
                type="button"
                role={isChecked === undefined ? "menuitem" : "menuitemradio"}
                aria-checked={isChecked}
                tabIndex={-1}
                className={classes.item}
                onClick={() => {
                  close();
                  onSelect();
                }}
              >
                {before}
                {text}
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}

function itemsOf(frame: HTMLElement | null): HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
}

/** Returns whether the key moves the focus. */
function moveFocus(items: readonly HTMLElement[], key: string): boolean {
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  if (next === undefined) return false;
  items.at(next % items.length)?.focus();
  return true;
}
