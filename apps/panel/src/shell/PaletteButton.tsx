import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ComponentType, useCallback, useEffect, useRef, useState } from "react";
import { loadCode } from "../connection/connection.ts";
import { notifyFailure } from "../ui/notify.ts";
import { NAVIGATION } from "./navigation.ts";
import classes from "./PaletteButton.module.css";

type Palette = ComponentType<{ readonly pages: typeof NAVIGATION; readonly onClose: () => void }>;

/** The palette's code, which is loaded when the admin is about to use it. */
const load = () => loadCode(() => import("../palette/Palette.tsx"));

/** Opens the command palette, also by Ctrl-K or Cmd-K. */
export function PaletteButton() {
  const [Palette, setPalette] = useState<Palette | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isOpening = useRef(false);
  const open = useCallback(async () => {
    if (isOpening.current) return;
    isOpening.current = true;
    const code = await load().catch(() => null);
    isOpening.current = false;
    if (code === null) return notifyFailure("The search could not be loaded. Reload the page.");
    setPalette(() => code.Palette);
    setIsOpen(true);
  }, []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // The modifier is pressed first, which gives the code time to load.
      if (event.key === "Control" || event.key === "Meta") return void load().catch(() => undefined);
      const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!isShortcut || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (isOpen) return setIsOpen(false);
      // A dialog that is open is answered first.
      if (document.querySelector("dialog[open]") === null) void open();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [isOpen, open]);
  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => void open()}
      >
        <IconSearch size={17} stroke={1.7} aria-hidden />
        <span className={classes.label}>Jump to</span>
        <kbd className={classes.key} aria-hidden>
          Ctrl K
        </kbd>
      </UnstyledButton>
      {isOpen && Palette !== null && <Palette pages={NAVIGATION} onClose={() => setIsOpen(false)} />}
    </>
  );
}
