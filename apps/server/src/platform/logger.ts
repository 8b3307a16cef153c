import { pino } from "pino";
import { redactValue } from "./redact.ts";

export type Logger = pino.Logger;

export const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

interface LoggerOptions {
  readonly level: LogLevel;
  /** Which process speaks, e.g. `api`. */
  readonly role: string;
  /** Where lines go; standard error by default, so that what a command prints stays readable. */
  readonly destination?: pino.DestinationStream;
}

/** One JSON object a line. Everything logged is redacted first, by name and by shape, at any depth. */
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
      // pino would describe an error before the redaction sees it, with every property that hangs on it.
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
