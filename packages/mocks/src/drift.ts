export { DriftCheckError, type DriftCheckProblem } from "./drift/boundedFetch.ts";
export { type CaseDifference, checkDrift, type DriftReport, type UnjudgedCase } from "./drift/checkDrift.ts";
export { type DriftOptions, driftText } from "./drift/driftOptions.ts";

export type { DifferenceLevel, SchemaDifference } from "./drift/schemaDifferences.ts";
export { Recorder, type RecorderOptions } from "./recording/recorder.ts";
export {
  type Exchange,
  type ExchangeResponse,
  type Recording,
  readRecording,
  replayText,
} from "./recording/recording.ts";
export { type ReplayDifference, type ReplayReport, replayRecording } from "./recording/replay.ts";
