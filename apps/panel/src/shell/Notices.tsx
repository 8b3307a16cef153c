import { CloseButton, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { currentNotices, dismiss, subscribeToNotices } from "../ui/notify.ts";
import classes from "./Notices.module.css";

/** The live region for notices. It is always rendered, because screen readers only announce changes of an existing region. */
export function Notices() {
  const notices = useSyncExternalStore(subscribeToNotices, currentNotices);
  const list = useRef<HTMLUListElement>(null);
  // The page leaves room for them: see panel.css.
  useEffect(() => {
    if (list.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      document.documentElement.style.setProperty("--notices-height", `${entry?.contentRect.height ?? 0}px`);
    });
    observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  return (
    <section className={classes.place} aria-label="Notices">
      <ul ref={list} className={classes.list} aria-live="polite" aria-relevant="additions">
        {notices.map(({ id, message, kind }) => {
          const Icon = kind === "done" ? IconCircleCheck : IconAlertTriangle;
          return (
            <li key={id} className={classes.notice} data-kind={kind}>
              <Icon size={20} stroke={1.8} aria-hidden />
              <Text size="sm" className={classes.message}>
                {message}
              </Text>
              <CloseButton size="sm" aria-label="Close this notice" onClick={() => dismiss(id)} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
