import type { BashToolDetails, Theme, ToolRenderers, ToolRenderResultOptions } from "@earendil-works/pi-coding-agent";
import { type Component, Container, Spacer, Text } from "@earendil-works/pi-tui";
import { type PiToolGuardDetails, readPiToolGuardDetails } from "../../guard/record.ts";
import { takeFailure, withoutNotice } from "../bash/notice.ts";
import type { BashDefinition } from "../bash/types.ts";
import { themePalette } from "../format/palette.ts";
import { drawReceipt, hasReceipt } from "./receipt.ts";

type RenderResult = NonNullable<ToolRenderers["renderResult"]>;
type Result = Parameters<NonNullable<BashDefinition["renderResult"]>>[0];
type Context = Parameters<RenderResult>[3];

/** Draws pi's own result component with a receipt below it. */
class WithReceipt extends Container {
	/** The component that pi's renderer made: it must get its own one back the next time. */
	inner: Component | undefined;
}

/** Marks a renderer that draws receipts already: a second copy of this extension may be loaded. */
const DRAWS_RECEIPTS = Symbol.for("pi-sluice.draws-receipts");

/**
 * The renderers of bash, with a receipt in place of the `Took` line below the result of a slow guarded command; everything
 * else looks as before. Works from `details` alone, so also on resume.
 */
export function withReceipts(renderers: ToolRenderers | undefined, showReceipt: () => boolean): ToolRenderers | undefined {
	const base = renderers?.renderResult;
	if (base === undefined || DRAWS_RECEIPTS in base) return renderers;
	return { ...renderers, renderResult: Object.assign(guardedResultRenderer(base, showReceipt), { [DRAWS_RECEIPTS]: true }) };
}

function guardedResultRenderer(base: RenderResult, showReceipt: () => boolean): RenderResult {
	return (result, options, theme, context) => {
		const record = options.isPartial ? undefined : readPiToolGuardDetails(result.details);
		const previous = context.lastComponent;
		const inner = previous instanceof WithReceipt ? previous.inner : previous;
		if (record === undefined) return base(result, options, theme, { ...context, lastComponent: inner });
		if (!hasReceipt(record) || !showReceipt()) {
			return base(asPlain(result, record), options, theme, { ...context, lastComponent: inner });
		}
		return withReceipt(base, result, record, options, theme, { ...context, lastComponent: inner }, previous);
	};
}

function withReceipt(
	base: RenderResult,
	result: Result,
	record: PiToolGuardDetails,
	options: ToolRenderResultOptions,
	theme: Theme,
	context: Context,
	previous: Component | undefined,
): Component {
	const wrapper = previous instanceof WithReceipt ? previous : new WithReceipt();
	stopTimer(context);
	// Collapsed, pi shows the last lines: they are to be the output's.
	const { result: output, failure } = takeFailure(withoutNotice(result, record), record);
	wrapper.inner = base(output, options, theme, untimed(context));
	wrapper.clear();
	wrapper.addChild(wrapper.inner);
	if (failure !== undefined) wrapper.addChild(new Text(`\n${theme.fg("warning", failure)}`, 0, 0));
	wrapper.addChild(new Spacer(1));
	wrapper.addChild({ render: (width) => drawReceipt(record, width, themePalette(theme)), invalidate: () => undefined });
	return wrapper;
}

/** The result as pi's own bash would have left it: without a log of ours, which pi's renderer would announce. */
function asPlain(result: Result, record: PiToolGuardDetails): Result {
	const { fullOutputPath: _log, ...details } = result.details as BashToolDetails;
	const own = record.projectionPath;
	return { ...result, details: own === undefined ? details : { ...details, fullOutputPath: own } };
}

/** A context in which pi's renderer finds no duration to show: the receipt has it. */
function untimed(context: Context): Context {
	return { ...context, durationMs: undefined, state: { startedAt: undefined, endedAt: undefined, interval: undefined } };
}

/** What pi's renderer does with the row's ticking clock when a result is final. */
function stopTimer(context: Context): void {
	if (context.state.interval !== undefined) clearInterval(context.state.interval);
	context.state.interval = undefined;
	context.state.endedAt ??= Date.now();
}
