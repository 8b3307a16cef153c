import { useQuery } from "@tanstack/react-query";
import { PlannedTouchDocument, type PlannedTouchQueryVariables } from "../_generated/touched.ts";
import { request } from "../api/request.ts";
import { willTouch } from "./touchedText.ts";

/** A consequence in the confirmation of an action: how much it affects, counted by the service as the action itself does. */
export function PlannedTouch(action: PlannedTouchQueryVariables) {
  const { data, isError } = useQuery({
    queryKey: ["plannedTouch", action],
    queryFn: async () => (await request(PlannedTouchDocument, action)).touched,
    staleTime: 0,
  });
  if (isError) return <>What it affects could not be counted.</>;
  return <>{data === undefined ? "Counting what it affects…" : willTouch(data)}</>;
}
