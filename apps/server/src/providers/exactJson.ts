/** An integer with so many digits that a double may lose some. */
const LONG_NUMBER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses JSON without loss of integers: an integer that a double cannot represent (a 20-digit post id) becomes a string
 * of its digits. Returns undefined for invalid, empty or truncated JSON.
 *
 * A reviver would do the same at 0.8 µs per value: 280 ms for 1 MiB of empty objects.
 */
export function parseExactJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return text.search(LONG_NUMBER) < 0 ? value : (JSON.parse(withQuotedNumbers(text)) as unknown);
  } catch {
    return undefined;
  }
}

/** The same JSON with quotes around numbers that a double cannot represent. */
function withQuotedNumbers(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const opening = json.indexOf('"', at);
    const end = opening < 0 ? json.length : opening;
    parts.push(json.slice(at, end).replace(LONG_NUMBER, quoted));
    at = opening < 0 ? end : endOfString(json, opening);
    parts.push(json.slice(end, at));
  }
  return parts.join("");
}

function quoted(digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`;
}

/** The end of the string whose opening quote is at `opening`. */
function endOfString(json: string, opening: number): number {
  for (let at = opening + 1; at < json.length; at += 1) {
    const unit = json[at];
    if (unit === "\\") at += 1;
    else if (unit === '"') return at + 1;
  }
  return json.length;
}
