import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from "@mantine/core";

/** The project's green, from light to dark. */
const pine: MantineColorsTuple = [
  "#eefaf6",
  "#d9f1e9",
  "#b0e3d2",
  "#83d4b9",
  "#5fcfab",
  "#3fbb92",
  "#2a9a77",
  "#127558",
  "#0b5d4a",
  "#064535",
];

/** Grays with a green tint. */
const gray: MantineColorsTuple = [
  "#f6f7f5",
  "#eef0ed",
  "#e4e7e3",
  "#d8dcd7",
  "#c3c9c3",
  "#9aa29c",
  "#737c76",
  "#565e59",
  "#343a36",
  "#171a18",
];

const dark: MantineColorsTuple = [
  "#e9eeeb",
  "#c6cec9",
  "#a5afa9",
  "#7a857f",
  "#3d4541",
  "#2f3633",
  "#222725",
  "#191d1b",
  "#121513",
  "#0c0e0d",
];

/** For destructive actions and errors. */
const red: MantineColorsTuple = [
  "#fdf0ed",
  "#fbe0d9",
  "#f6c3b7",
  "#f5a897",
  "#ff9d87",
  "#e9674b",
  "#d04d31",
  "#b93a20",
  "#a1301c",
  "#7d2414",
];

/** Text on a filled background is white in light mode and dark in dark mode. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === "filled" ? { ...colors, color: "light-dark(#ffffff, #0c0e0d)" } : colors;
};

const SANS = 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif';

export const theme = createTheme({
  colors: { pine, gray, dark, red },
  primaryColor: "pine",
  primaryShade: { light: 8, dark: 4 },
  variantColorResolver: variantColors,
  black: "#171a18",
  fontFamily: SANS,
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace',
  headings: { fontFamily: SANS, fontWeight: "650", textWrap: "balance" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: { TextInput: { defaultProps: { autoComplete: "off" } } },
});

/** Replaces the library's colors whose contrast is too low for small text (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#f6f7f5",
    "--mantine-color-dimmed": "#565e59",
    "--mantine-color-placeholder": "#6a736d",
    "--mantine-color-error": "#a1301c",
    "--mantine-color-anchor": "#0b5d4a",
    "--mantine-color-default-border": "#cbd1cb",
    "--panel-surface": "#ffffff",
    "--panel-sunken": "#eef0ed",
    "--panel-line": "#e0e4df",
  },
  dark: {
    "--mantine-color-body": "#121513",
    "--mantine-color-dimmed": "#a5afa9",
    "--mantine-color-placeholder": "#8d9892",
    "--mantine-color-error": "#ff9d87",
    "--mantine-color-anchor": "#5fcfab",
    "--mantine-color-default": "#191d1b",
    "--mantine-color-default-border": "#3d4541",
    "--panel-surface": "#191d1b",
    "--panel-sunken": "#222725",
    "--panel-line": "#2c332f",
  },
});
