import type { ReactNode } from "react";
import classes from "./ActionBar.module.css";
import { useHeightVariable } from "./useHeightVariable.ts";

interface ActionBarProps {
  /** What the actions are about, which is out of view while the page is scrolled. */
  readonly about: ReactNode;
  /** Buttons and links. */
  readonly children?: ReactNode;
}

/** The actions of a record's page, below its header. They stay in view while the page scrolls. */
export function ActionBar({ about, children }: ActionBarProps) {
  // What receives the focus appears below it: see panel.css.
  const bar = useHeightVariable("--action-bar");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields
    <div ref={bar} className={classes.bar} role="group" aria-label="Actions">
      {children}
      <span className={classes.about} translate="no">
        {about}
      </span>
    </div>
  );
}
