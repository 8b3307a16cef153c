/** Compares two values of a column; strings as people read them, and missing values last. */
export function compareValues(left: string | number | null, right: string | number | null): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (typeof left === "number" && typeof right === "number") return left - right;
  return String(left).localeCompare(String(right), "en", { numeric: true });
}
