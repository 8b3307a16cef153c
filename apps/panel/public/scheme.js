// Applies the stored color scheme before the first paint, with Mantine's storage key and attribute.
try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.mantineColorScheme = chosen;
} catch {
  // Without storage, the device's preference applies.
}
