export { projectFile } from "./file.ts";
export { project } from "./project.ts";
export { createProjector } from "./projector.ts";
export type { Projection, ProjectionInput, ProjectOptions, Projector, ViewEnvironment } from "./types.ts";
export { parseView, type ViewPipeline } from "./view.ts";
