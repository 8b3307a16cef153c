import { IconPlugConnectedX } from "@tabler/icons-react";
import { useConnection } from "../connection/connection.ts";
import { useHeightVariable } from "../ui/useHeightVariable.ts";
import classes from "./ConnectionBanner.module.css";

const TEXTS = {
  connected: null,
  offline: "You are offline. Your input stays here, and the page updates when the connection returns.",
  unreachable: "The service cannot be reached. Your input stays here, and the page updates when the service responds.",
} as const;

/** States above every page that there is no connection. Always rendered, so that screen readers announce changes. */
export function ConnectionBanner() {
  const text = TEXTS[useConnection()];
  const banner = useHeightVariable("--banner");
  return (
    <div ref={banner} role="status" aria-label="Connection" className={text === null ? undefined : classes.banner}>
      {text !== null && (
        <>
          <IconPlugConnectedX size={18} stroke={1.8} aria-hidden />
          {text}
        </>
      )}
    </div>
  );
}
