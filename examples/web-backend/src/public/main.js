import { startHandover } from "./handover.js";
import { startPopups } from "./popup.js";
import { startReload } from "./reload.js";

startReload();
startPopups();
startHandover();
