import { CloseButton, Group, Title } from "@mantine/core";
import { type MouseEvent, type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import classes from "./Dialog.module.css";

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** The element with `data-autofocus` receives the focus when the dialog opens. */
  readonly children: ReactNode;
}

/** The native `<dialog>`, which traps the focus, makes the rest of the page inert, and restores the focus. */
export function Dialog({ isOpen, onClose, title, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!isOpen || element === null) return;
    const around = (document.activeElement ?? element).closest("section") ?? element.closest("section");
    element.showModal();
    element.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      element.close();
      // If the element that opened it was removed, the heading of its section or of the page receives the focus.
      if (document.activeElement !== document.body) return;
      const part = around?.isConnected ? around.querySelector<HTMLElement>("h2[tabindex]") : null;
      (part ?? document.querySelector<HTMLElement>("h1[tabindex]"))?.focus();
    };
  }, [isOpen]);
  const closeByKey = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  const closeFromOutside = (event: MouseEvent) => {
    // Clicks on the backdrop have the dialog itself as target, because its content is in one child.
    if (event.target === event.currentTarget) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={headingId}
      onCancel={closeByKey}
      onClick={closeFromOutside}
    >
      {isOpen && (
        <div className={classes.body}>
          <Group justify="space-between" align="flex-start" gap="sm" wrap="nowrap" mb={14}>
            <Title order={2} id={headingId} fz="1.15rem" lh={1.35}>
              {title}
            </Title>
            <CloseButton aria-label="Close" onClick={onClose} />
          </Group>
          {children}
        </div>
      )}
    </dialog>
  );
}
