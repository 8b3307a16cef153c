import { startDrafts } from "./drafts.js";
import { startHandover } from "./handover.js";
import { startLive } from "./live.js";
import { startPopups } from "./popup.js";
import { startReload } from "./reload.js";

startDrafts();
startLive();
startReload();
startPopups();
startHandover();
