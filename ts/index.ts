export { SluiceError } from "./errors.ts";
export { native } from "./native.ts";
