import type { Message } from "./readMessages.ts";

/** The messages that a page explains, as Markdown for its end, so that the search finds the page by each of them. */
export function messageList(messages: readonly Message[]): string {
  if (messages.length === 0) return "";
  const items = messages.map(({ text }, index) => `<li id="message-${index + 1}">${escaped(text)}</li>`);
  return `\n## Messages\n\n<ul class="messages" v-pre>\n${items.join("\n")}\n</ul>\n`;
}

/** On one line, so that Markdown and Vue take nothing of it for their own. */
function escaped(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
