import { CloseButton, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useSyncExternalStore } from "react";
import { currentNotices, dismiss, subscribeToNotices } from "../ui/notify.ts";
import { useHeightVariable } from "../ui/useHeightVariable.ts";
import classes from "./Notices.module.css";

/** The live region for notices. It is always rendered, because screen readers only announce changes of an existing region. */
export function Notices() {
  const notices = useSyncExternalStore(subscribeToNotices, currentNotices);
  // The page leaves room for them: see panel.css.
  const list = useHeightVariable("--notices-height");
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
