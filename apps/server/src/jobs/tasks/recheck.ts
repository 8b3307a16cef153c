import { runRecheck } from "../../modules/connections/runRecheck.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const recheckTask = defineTask({
  name: "recheck",
  lane: "settle",
  payload: rowPayload,
  run: (service, { id }) => runRecheck(service, id),
});
