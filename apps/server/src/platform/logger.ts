import { pino } from "pino";
import { redactValue } from "./redact.ts";

export type Logger = pino.Logger;

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface LoggerOptions {
  readonly level: LogLevel;
  /** The process that logs, e.g. `api`. */
  readonly role: string;
  /** The destination; standard error by default, so that the output of commands remains readable. */
  readonly destination?: pino.DestinationStream;
}

/** One JSON object per line. Everything is redacted first, by name and by pattern, at any depth. */
export function createLogger({ level, role, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { role },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactValue(fields) as Record<string, unknown>,
      },
      // pino would serialize an error before the redaction, with all its properties.
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(parameters, method) {
          const cleaned = parameters.map((parameter) => redactValue(parameter)) as typeof parameters;
          method.apply(this, cleaned);
        },
      },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
}
