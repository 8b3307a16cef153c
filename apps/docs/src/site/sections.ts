/** A part of a page that the search finds. */
export interface Section {
  /** Empty for the beginning of a page. */
  anchor: string;
  /** The headings above it and its own, from the page's on. */
  titles: string[];
  text: string;
}

/** A heading with its link, or a message of a page's list of them. */
const START = /<h(\d)[^>]*>(.*?)<a[^>]* href="#(.*?)"[^>]*>.*?<\/a><\/h\1>|<li id="(message-\d+)">(.*?)<\/li>/gis;

/** The sections of a rendered page: one for each heading, and one for each message. */
export function splitPage(html: string): Section[] {
  const starts = [...html.matchAll(START)];
  const above: string[] = [];
  return starts.map((start, index) => {
    const [whole, level = "2", heading = "", anchor = "", message, sentence = ""] = start;
    if (message !== undefined) return { anchor: message, titles: [above[0] ?? "", plain(sentence)], text: "" };
    const depth = Number(level) - 1;
    above.splice(depth);
    above[depth] = plain(heading);
    const text = html.slice(start.index + whole.length, starts[index + 1]?.index);
    return { anchor, titles: above.filter((title) => title !== undefined), text: plain(text) };
  });
}

function plain(html: string): string {
  return html.replaceAll(/<[^>]*>/g, "").trim();
}
