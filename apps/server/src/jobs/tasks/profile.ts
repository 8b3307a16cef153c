import { runProfileRead } from "../../modules/sync/runProfileRead.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const profileTask = defineTask({
  name: "profile",
  lane: "read",
  payload: rowPayload,
  run: (service, { id }) => runProfileRead(service, id),
});
