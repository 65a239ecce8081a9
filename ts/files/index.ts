export { type ReadLinesOptions, type ReadLinesResult, readLines } from "./read-lines.ts";
