import { runScan } from "../../modules/sync/runScan.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const scanTask = defineTask({
  name: "scan",
  lane: "read",
  payload: rowPayload,
  run: (service, { id }) => runScan(service, id),
});
