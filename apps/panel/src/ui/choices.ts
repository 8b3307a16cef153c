/** Renders dropdown lists within the page's landmarks, scrollable by the keyboard. */
export const CHOICES = {
  withScrollArea: false,
  comboboxProps: { withinPortal: false },
  styles: { options: { maxHeight: 260, overflowY: "auto" } },
} as const;
