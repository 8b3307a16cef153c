// Applies the stored color scheme before the first paint. The key and the attribute are Mantine's.
try {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.mantineColorScheme = chosen;
} catch {
  // Without storage, the device's preference applies.
}
