import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { prefixReason } from "../guard/plan/prefix.ts";
import type { PassReason } from "../guard/plan/types.ts";
import type { PiToolGuardDetails } from "../guard/record.ts";
import { DEFAULT_SETTINGS, readSettings, type SluiceSettings } from "./settings.ts";
import { shellSettings, type ShellSettings } from "./shell.ts";
import { RunningStatus } from "./status.ts";

/** Custom session entry that keeps `/sluice off` across reloads and resumes. */
export const SWITCH_ENTRY = "sluice-switch";

/** What the extension knows about the running session. */
export class Session {
	settings: SluiceSettings = DEFAULT_SETTINGS;
	shell: ShellSettings = {};
	#prefixReason: PassReason | undefined;
	/** pi's own setting for `read`. */
	autoResizeImages = true;
	/** `/sluice off` turns it off until `/sluice on`. */
	switchedOn = true;
	readonly status = new RunningStatus();
	/** Records of calls that pi does not keep: those that other tools made. */
	nested: PiToolGuardDetails[] = [];
	/** Calls whose arguments were repaired since the session started here. */
	repaired = 0;

	/** Whether commands are guarded now. */
	get enabled(): boolean {
		return this.switchedOn && this.obstacle === undefined;
	}

	/** What keeps every command from being guarded, whatever the switch says. */
	get obstacle(): string | undefined {
		if (!this.settings.enabled) return "the setting sluice.enabled is false";
		return this.#prefixReason && `the setting shellCommandPrefix does not allow it (${this.#prefixReason})`;
	}

	/** Reads pi's settings and the session's switch. Returns what was wrong with our settings. */
	start(pi: ExtensionAPI, ctx: ExtensionContext): readonly string[] {
		const all = pi.getSettings();
		this.nested = [];
		this.repaired = 0;
		const { settings, problems } = readSettings((all as { sluice?: unknown }).sluice);
		this.settings = settings;
		this.shell = shellSettings(all);
		this.#prefixReason = prefixReason(this.shell.commandPrefix ?? "");
		this.autoResizeImages = all.images?.autoResize ?? true;
		const entries = ctx.sessionManager.getBranch();
		const last = entries.findLast((entry) => entry.type === "custom" && entry.customType === SWITCH_ENTRY);
		this.switchedOn = !(last?.type === "custom" && (last.data as { on?: unknown } | undefined)?.on === false);
		return problems;
	}

	/** Counts a call whose arguments were repaired. */
	countRepair(): void {
		this.repaired += 1;
	}

	/** Keeps a record that will not be in the transcript: pi does not store the calls that a tool made. */
	remember(callId: string, record: PiToolGuardDetails | undefined): void {
		if (record !== undefined && callId.includes("/")) this.nested.push(record);
	}
}
