/** The status of a call with wrong arguments, as the shells have it. */
export const USAGE = 2;
