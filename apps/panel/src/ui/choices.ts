import classes from "./choices.module.css";

/** Renders dropdown lists within the page's landmarks, scrollable by the keyboard. */
export const CHOICES = {
  withScrollArea: false,
  comboboxProps: { withinPortal: false },
  classNames: { options: classes["options"] ?? "" },
} as const;
