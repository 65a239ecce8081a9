import type { Call } from "../call.ts";
import { refuse, show } from "../refuse.ts";
import type { Conversion } from "../types.ts";

/** A value that waits until the plain fields are known. */
export interface Waiting {
	readonly key: string;
	readonly value: unknown;
	readonly to: string;
}

/** Values that wait, by their conversion. */
export type WaitingRoom = Map<Conversion, Waiting[]>;

/** Sets fields from a value that waited. @throws SluiceError `INVALID_ARGUMENTS` */
export type Derivation = (call: Call, waiting: Waiting, room: WaitingRoom) => void;

/** Puts a value back under its own name, for the validator. */
export function keep(call: Call, { key, value }: Waiting): void {
	call.values.set(key, value);
}

/** Notes what became of a value. */
export function note(call: Call, { key }: Waiting, what: string): void {
	call.changed.push(`${call.where}${key} ${what}`);
}

/** Refuses a value. @throws SluiceError `INVALID_ARGUMENTS` */
export function refuseWaiting(call: Call, { key, value }: Waiting, send: string): never {
	return refuse(call.tool, `${call.where}${key} ${show(value)}`, send);
}
