import classes from "./choices.module.css";

/**
 * For lists to choose from: they open beside their field, within the page's landmarks, and what scrolls is the list itself,
 * which the field controls by keyboard.
 */
export const CHOICES = {
  withScrollArea: false,
  comboboxProps: { withinPortal: false },
  classNames: { options: classes["options"] ?? "" },
} as const;
