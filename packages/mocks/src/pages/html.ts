import { html, raw } from "hono/html";

export { html };
export type Html = ReturnType<typeof raw>;

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto}h1{font-size:1.4rem}fieldset{margin:0 0 1rem;border:1px solid #8888;border-radius:.5rem}
label{display:block;padding:.2rem 0}small{opacity:.75}button{font:inherit;padding:.5rem 1.2rem;margin-right:.5rem}
select,input[type=text]{font:inherit;padding:.3rem}`;

export function pageHtml(title: string, content: Html | Promise<Html>): string {
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${title}</title><style>${raw(STYLE)}</style></head>
<body><main><h1>${title}</h1>${content}</main></body></html>
`;
  return String(page);
}

/** One of several choices, the first of which is preselected. */
export function radioChoice(name: string, value: string, summary: string, index: number): Html | Promise<Html> {
  const checked = index === 0 ? " checked" : "";
  return html`<label><input type="radio" name="${name}" value="${value}"${checked}> ${value} <small>${summary}</small></label>`;
}
