import { jsonResponse } from "../shared/http.ts";
import { names } from "../shared/names.ts";

const LINKS = names("share_url permalink profile_deep_link");
const HANDLES = names("username customUrl");
const UTC_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(?:Z|\+0000)$/;
/** India's. */
const OFFSET = "+05:30";
const OFFSET_MS = 19_800_000;

/** The response with its values in other forms that real providers use. */
export async function inOtherForms(response: Response): Promise<Response> {
  if (!response.ok) return response;
  return jsonResponse(otherForm("", await response.json()), response.status, Object.fromEntries(response.headers));
}

function otherForm(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => otherForm(name, element));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, otherForm(key, field)]));
  }
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? otherText(name, value) : value;
}

function otherText(name: string, text: string): unknown {
  if (/count$/i.test(name) && /^\d{1,15}$/.test(text)) return Number(text);
  if (LINKS.has(name)) return text.replace(/^https:/, "");
  if (HANDLES.has(name)) return text.startsWith("@") ? text.slice(1) : `@${text}`;
  const [, time] = UTC_TIME.exec(text) ?? [];
  if (time === undefined) return text;
  return new Date(Date.parse(`${time}Z`) + OFFSET_MS).toISOString().replace(/\.\d+Z$/, OFFSET);
}
