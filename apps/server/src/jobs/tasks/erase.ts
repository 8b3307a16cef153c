import { runErase } from "../../modules/connections/runErase.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const eraseTask = defineTask({
  name: "erase",
  lane: "settle",
  payload: rowPayload,
  run: (service, { id }) => runErase(service, id),
});
