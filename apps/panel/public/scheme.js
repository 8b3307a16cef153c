// Before anything is drawn: whoever chose light or dark for this browser sees no flash of the other. It is the name under
// which the component library keeps the choice, and the attribute by which its styles know it.
try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.mantineColorScheme = chosen;
} catch {
  // A browser that stores nothing shows what its device prefers.
}
