export { type CaseDifference, checkDrift, type DriftReport, type UnjudgedCase } from "./drift/checkDrift.ts";
export { DriftCheckError, type DriftCheckProblem } from "./drift/driftCheckError.ts";
export type { DriftOptions } from "./drift/driftOptions.ts";
export { driftText } from "./drift/driftText.ts";
export type { DifferenceLevel, SchemaDifference } from "./drift/schemaDifferences.ts";
export { Recorder, type RecorderOptions } from "./recording/recorder.ts";
export { type Exchange, type ExchangeResponse, type Recording, readRecording } from "./recording/recording.ts";
export { type ReplayDifference, type ReplayReport, replayRecording } from "./recording/replay.ts";
export { replayText } from "./recording/replayText.ts";
