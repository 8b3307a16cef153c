/** A value as the audit log shows it. Never a secret, nor what identifies a user of an application. */
export type AuditValue = string | number | boolean | readonly string[];

/** A field of the changed object. `null`: it had no value before, or has none afterwards. */
export interface AuditChange {
  readonly field: string;
  readonly before: AuditValue | null;
  readonly after: AuditValue | null;
  /** For a long list: how many entries stay. `before` has what was removed, and `after` what was added. */
  readonly unchanged?: number;
}

/** For an entry about something that was read, or that other entries describe one by one. */
export const NOTHING_CHANGED: readonly AuditChange[] = [];

/** How a secret, or an address that can be one, is named in place of its value. */
export const SECRET_SET = "set";
export const SECRET_CHANGED = "changed";

/** A longer list is recorded as what was added and removed. */
const MOST_LISTED = 10;

/** Columns that follow from the change itself, or name the object that the entry is about. */
const NOT_SHOWN: readonly string[] = ["id", "applicationId", "createdAt", "updatedAt"];

/**
 * The fields that differ between two states of an object; `null`: it did not exist, or no longer exists. If both are given, only fields
 * of `after` are compared, so that it can be a patch. A field of a part is named `part.field`.
 */
export function changesOf(before: object | null, after: object | null): readonly AuditChange[] {
  const names = Object.keys(after ?? before ?? {}).filter((name) => !NOT_SHOWN.includes(name));
  const [old, next] = [flat(names, before), flat(names, after)];
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field) => {
    const [left, right] = [old.get(field) ?? null, next.get(field) ?? null];
    return isSame(left, right) ? [] : [{ field, ...shortened(left, right) }];
  });
}

function flat(names: readonly string[], state: object | null): Map<string, AuditValue> {
  const values = new Map<string, unknown>(Object.entries(state ?? {}));
  const fields = names.flatMap((name): [string, AuditValue][] => {
    const value = values.get(name);
    if (value === null || value === undefined || value === "") return [];
    if (isDate(value)) return [[name, value.toISOString()]];
    if (Array.isArray(value)) return value.length === 0 ? [] : [[name, value.map(String)]];
    if (typeof value !== "object") return [[name, value as AuditValue]];
    const part = flat(Object.keys(value), value);
    return [...part].map(([inner, one]) => [`${name}.${inner}`, one]);
  });
  return new Map(fields);
}

function isDate(value: unknown): value is Date {
  return typeof value === "object" && value !== null && "toISOString" in value;
}

function isSame(left: AuditValue | null, right: AuditValue | null): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((one) => right.includes(one));
}

function shortened(left: AuditValue | null, right: AuditValue | null): Omit<AuditChange, "field"> {
  const [old, next] = [left, right].map((value) => (Array.isArray(value) ? (value as string[]) : []));
  if (old === undefined || next === undefined || Math.max(old.length, next.length) <= MOST_LISTED)
    return { before: described(left), after: described(right) };
  const removed = old.filter((one) => !next.includes(one));
  const added = next.filter((one) => !old.includes(one));
  return { before: listed(removed), after: listed(added), unchanged: old.length - removed.length };
}

function listed(values: readonly string[]): readonly string[] | null {
  return values.length === 0 ? null : values;
}

/** An image is named by its type and size. */
function described(value: AuditValue | null): AuditValue | null {
  const image = typeof value === "string" ? /^data:(?<type>[^;,]+)/.exec(value)?.groups?.["type"] : undefined;
  return image === undefined ? value : `${image}, ${String(value).length.toLocaleString("en")} characters`;
}
