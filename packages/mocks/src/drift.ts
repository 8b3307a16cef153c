export { DriftCheckError, type DriftCheckProblem } from "./drift/boundedFetch.ts";
export { checkDrift } from "./drift/checkDrift.ts";
export type { DriftOptions } from "./drift/driftOptions.ts";
export { type CaseDifference, type DriftReport, driftText, type UnjudgedCase } from "./drift/driftReport.ts";

export type { DifferenceLevel, SchemaDifference } from "./drift/schemaDifferences.ts";
export { Recorder, type RecorderOptions } from "./recording/recorder.ts";
export { type Exchange, type ExchangeResponse, type Recording, readRecording } from "./recording/recording.ts";
export { type ReplayDifference, type ReplayReport, replayRecording, replayText } from "./recording/replay.ts";
