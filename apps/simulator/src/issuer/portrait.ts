import { seededRandom } from "../shared/random.ts";
import type { User } from "./users.ts";

/** A generated picture of a user. */
export function portrait(person: User): string {
  const random = seededRandom("portrait", person.name);
  const hue = random.int(0, 359);
  const turn = random.int(-12, 12);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" aria-hidden="true"><rect width="96" height="96" fill="hsl(${hue} 55% 82%)"/><g transform="rotate(${turn} 48 48)"><circle cx="48" cy="40" r="19" fill="hsl(${hue} 45% 38%)"/><path d="M10 100c0-26 17-38 38-38s38 12 38 38z" fill="hsl(${(hue + 40) % 360} 45% 45%)"/></g></svg>`;
}
