export { type FindOptions, type FindResult, find } from "./find.ts";
export { type GrepLine, type GrepOptions, type GrepResult, grep } from "./grep.ts";
