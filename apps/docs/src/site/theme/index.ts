import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import "./style.css";
import { VersionSwitch } from "./versionSwitch.ts";

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "nav-bar-content-after": () => h(VersionSwitch, { class: "in-bar" }),
      "nav-screen-content-after": () => h(VersionSwitch, { class: "in-menu" }),
    }),
};

export default theme;
