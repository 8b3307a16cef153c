import { CloseButton, Title } from "@mantine/core";
import type { MouseEvent, ReactNode, SyntheticEvent } from "react";
import { useEffect, useId, useRef } from "react";
import classes from "./Dialog.module.css";

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** What has `data-autofocus` takes the focus when it opens. */
  readonly children: ReactNode;
}

/** The browser's own dialog: it keeps the focus, makes the rest of the page inert, and gives the focus back. */
export function Dialog({ isOpen, onClose, title, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!isOpen || element === null) return;
    element.showModal();
    element.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      element.close();
      // What opened it may be gone by now: then its part of the page gets the focus, or the page.
      if (document.activeElement !== document.body) return;
      const part = element.closest("section")?.querySelector<HTMLElement>("h2[tabindex]");
      (part ?? document.querySelector<HTMLElement>("h1[tabindex]"))?.focus();
    };
  }, [isOpen]);
  const closeByKey = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose();
  };
  const closeFromOutside = (event: MouseEvent) => {
    // What lies around it belongs to it, and what is in it lies in its only child.
    if (event.target === event.currentTarget) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the key for it is Escape
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={headingId}
      onCancel={closeByKey}
      onClick={closeFromOutside}
    >
      {isOpen && (
        <div className={classes.body}>
          <div className={classes.head}>
            <Title order={2} id={headingId} className={classes.title}>
              {title}
            </Title>
            <CloseButton aria-label="Close" onClick={onClose} />
          </div>
          {children}
        </div>
      )}
    </dialog>
  );
}
