/** Creates an application on Social Connect. */
export type { CreateOptions, CreateResult } from "./createApplication.ts";
export { createApplication, FilesExistError } from "./createApplication.ts";
export type { Template, TemplateName } from "./templates.ts";
export { TEMPLATES } from "./templates.ts";
