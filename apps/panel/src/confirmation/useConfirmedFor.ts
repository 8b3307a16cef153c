import { useEffect, useState } from "react";
import { useSession } from "../session/session.ts";

/** The remaining seconds of the confirmation; 0 if a new one is needed. */
export function useConfirmedFor(): number {
  const session = useSession();
  const untilMs = session?.confirmedUntilMs ?? 0;
  const [nowMs, setNowMs] = useState(() => Date.now());
  const isOver = nowMs >= untilMs;
  useEffect(() => {
    setNowMs(Date.now());
    if (Date.now() >= untilMs) return;
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return isOver ? 0 : Math.ceil((untilMs - nowMs) / 1_000);
}

/** 272 as 4:32. */
export function asMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
