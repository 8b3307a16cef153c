import { runLookup } from "../../modules/sync/runLookup.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const lookupTask = defineTask({
  name: "lookup",
  lane: "read",
  payload: rowPayload,
  run: (service, { id }) => runLookup(service, id),
});
