import { signOut } from "../session/session.ts";
import { notifyFailure } from "./notify.ts";

/** Whether the admin may sign out now; it can ask them. */
type Guard = () => boolean | Promise<boolean>;

const guards = new Set<Guard>();

/** Calls the guard before the admin signs out. Returns the function that removes it. */
export function guardSignOut(guard: Guard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** Signs out, unless a guard prevents it; states it if that failed. */
export async function leave(): Promise<void> {
  for (const guard of guards) if (!(await guard())) return;
  if (!(await signOut())) notifyFailure("You are still signed in: the service did not respond. Try again.");
}
