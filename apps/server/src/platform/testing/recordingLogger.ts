import { createLogger, type Logger, type LogLevel } from "../log/logger.ts";

export function recordingLogger(level: LogLevel, role = "test"): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  return { logger: createLogger({ level, role, destination }), lines };
}
