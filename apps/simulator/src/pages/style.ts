import { PROVIDER_KEYS } from "../shared/providerKeys.ts";

/** Accent colors of the providers' pages, in turn. All have enough contrast with white text. */
const ACCENTS = ["#b3261e", "#0f6e66", "#7a35c9", "#8a4b08"];

/** Styles of all pages. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #59636e; --line: #d5dae0; --card: #fff; --ground: #f4f5f7; --accent: #1f5fbf; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a2abb5; --line: #3a4149; --card: #1d2126; --ground: #121519; } }
${PROVIDER_KEYS.map((key, index) => `body.${key} { --accent: ${ACCENTS[index % ACCENTS.length]}; }`).join(" ")} body.issuer { --accent: #1f5fbf; }
html { scroll-padding-bottom: 6rem; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 7rem; }
header { border-top: 5px solid var(--accent); background: var(--card); border-radius: .6rem; box-shadow: 0 1px 3px rgb(0 0 0 / .08); padding: 1rem 1.25rem; margin-bottom: 1.5rem; }
header p { margin: 0; color: var(--soft); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 .5rem; }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; }
legend { font-weight: 650; padding: 0; margin-bottom: .5rem; }
.grid { display: grid; gap: .6rem; grid-template-columns: repeat(auto-fill, minmax(17.5rem, 1fr)); }
.choice { display: flex; gap: .7rem; align-items: flex-start; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .7rem; }
label.choice { cursor: pointer; }
.choice:has(input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice:focus-within { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 1px; }
.choice input { accent-color: var(--accent); margin-top: .35rem; flex: none; }
.choice svg { width: 2.75rem; height: 2.75rem; border-radius: 50%; flex: none; }
.choice strong { display: block; overflow-wrap: anywhere; }
.choice small { color: var(--soft); display: block; overflow-wrap: anywhere; }
code { font-size: .9em; }
summary { margin-bottom: .75rem; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; font-weight: 650; cursor: pointer; }
summary small { color: var(--soft); font-weight: 400; margin-left: .4rem; }
summary:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 1px; }
details { margin-bottom: .75rem; }
details legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.actions { position: fixed; inset: auto 0 0 0; background: var(--card); border-top: 1px solid var(--line); padding: .8rem 1rem; }
.actions div { max-width: 60rem; margin: 0 auto; display: flex; gap: .75rem; justify-content: flex-end; }
button { font: inherit; font-weight: 650; border-radius: .5rem; padding: .6rem 1.6rem; border: 1px solid var(--line); background: transparent; color: var(--ink); cursor: pointer; }
button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button:focus-visible { outline: 3px solid color-mix(in srgb, var(--accent) 45%, transparent); outline-offset: 2px; }
.notice { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: .5rem; padding: 1rem; }
`;
