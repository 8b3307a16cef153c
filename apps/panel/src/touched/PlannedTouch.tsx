import { PlannedTouchDocument, type PlannedTouchQueryVariables } from "../_generated/touched.ts";
import { request } from "../api/request.ts";
import { CountedTouch } from "./CountedTouch.tsx";

/** A consequence in the confirmation of an action: how much it affects, counted by the service as the action itself does. */
export function PlannedTouch(action: PlannedTouchQueryVariables) {
  const read = async () => (await request(PlannedTouchDocument, action)).touched ?? [];
  return <CountedTouch queryKey={["plannedTouch", action]} read={read} />;
}
