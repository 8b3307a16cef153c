import { useData } from "vitepress";
import { defineComponent, h, onMounted, ref } from "vue";
import type { PublishedVersion, SiteTheme } from "../siteConfig.ts";

/** Selects a version of the documentation, and opens the same page there if that version has it. */
export const VersionSwitch = defineComponent({
  name: "VersionSwitch",
  setup() {
    const { theme, page } = useData<SiteTheme>();
    const { current, siteBase } = theme.value.versions;
    const versions = ref<readonly PublishedVersion[]>([{ name: current, path: "" }]);

    onMounted(async () => {
      try {
        // The list at the root of the site: an earlier version shows releases that are later than itself.
        const response = await fetch(`${siteBase}versions.json`);
        if (response.ok) versions.value = await response.json();
      } catch {
        // Without the list the switch shows this version.
      }
    });

    const open = async (name: string) => {
      const version = versions.value.find((each) => each.name === name);
      if (version === undefined || name === current) return;
      const home = `${siteBase}${version.path}`;
      const samePage = home + page.value.relativePath.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1");
      const response = await fetch(samePage, { method: "HEAD" }).catch(() => null);
      window.location.assign(response?.ok ? samePage : home);
    };

    return () =>
      h(
        "select",
        {
          class: "version-switch",
          "aria-label": "Version",
          value: current,
          onChange: (event: Event) => void open((event.target as HTMLSelectElement).value),
        },
        versions.value.map(({ name }) => h("option", { value: name, selected: name === current }, name)),
      );
  },
});
