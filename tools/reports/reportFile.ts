/** A file that a report makes. */
export interface ReportFile {
  /** From the root of the workspace, with forward slashes. */
  readonly path: string;
  readonly text: string;
}
