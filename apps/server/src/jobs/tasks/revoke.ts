import { runRevoke } from "../../modules/connections/runRevoke.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const revokeTask = defineTask({
  name: "revoke",
  lane: "settle",
  payload: rowPayload,
  run: (service, { id }) => runRevoke(service, id),
});
