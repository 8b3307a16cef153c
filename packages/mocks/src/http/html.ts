/** Text that may stand between tags and in attributes as it is. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

const STYLE = `:root{color-scheme:light dark}body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto}h1{font-size:1.4rem}fieldset{margin:0 0 1rem;border:1px solid #8888;border-radius:.5rem}
label{display:block;padding:.2rem 0}small{opacity:.75}button{font:inherit;padding:.5rem 1.2rem;margin-right:.5rem}
select,input[type=text]{font:inherit;padding:.3rem}`;

/** A whole page around `content`, which is HTML already. */
export function pageHtml(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>
`;
}
