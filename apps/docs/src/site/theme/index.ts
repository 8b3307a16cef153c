import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";
import { chooseTabsTogether } from "./tabs.ts";
import { VersionSwitch } from "./versionSwitch.ts";

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: () => chooseTabsTogether(),
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "nav-bar-content-after": () => h(VersionSwitch, { class: "in-bar" }),
      "nav-screen-content-after": () => h(VersionSwitch, { class: "in-menu" }),
    }),
};

export default theme;
