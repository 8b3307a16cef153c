import { revokeOrphanedGrant } from "../../modules/grants/revokeOrphanedGrant.ts";
import { defineTask, rowPayload } from "../kit.ts";

export const revokeOrphanedGrantTask = defineTask({
  name: "revokeOrphanedGrant",
  lane: "settle",
  payload: rowPayload,
  run: (service, { id }) => revokeOrphanedGrant(service, id),
});
