import { signOut } from "../session/session.ts";
import { notifyFailure } from "./notify.ts";

/** Signs out; states it if that failed. */
export async function leave(): Promise<void> {
  if (!(await signOut())) notifyFailure("You are still signed in: the service did not respond. Try again.");
}
