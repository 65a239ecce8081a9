// A model that answers from a script: Anthropic's streaming Messages API on the loopback interface.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One tool call of the scripted model. `arguments` given as a string goes out verbatim, valid JSON or not. */
export interface ScriptedCall {
	readonly name: string;
	readonly arguments: Record<string, unknown> | string;
}

/** What the model answers: one call, several in one message, or a text that ends the run. */
export type Turn = ScriptedCall | readonly ScriptedCall[] | { readonly text: string };

/** A tool result as it reached the model. */
export interface ReceivedResult {
	readonly text: string;
	readonly blocks: number;
	readonly isError: boolean;
}

interface ContentBlock {
	type: string;
	text?: string;
	tool_use_id?: string;
	is_error?: boolean;
	content?: string | ContentBlock[];
}

/** The part of a request body that the tests look at. */
export interface MessagesRequest {
	readonly model: string;
	readonly system?: string | ContentBlock[];
	readonly tools?: readonly { readonly name: string; readonly description: string; readonly input_schema: unknown }[];
	readonly messages: readonly { readonly role: string; readonly content: string | ContentBlock[] }[];
}

/** A running scripted model. */
export interface ScriptedModel {
	readonly url: string;
	readonly requests: readonly MessagesRequest[];
	close(): Promise<void>;
}

/** The id that the `call`-th call of the `turn`-th turn carries. */
export function callId(turn: number, call: number): string {
	return `toolu_${turn}_${call}`;
}

/** The calls of a script with their ids, in order. */
export function callsOf(script: readonly Turn[]): { readonly id: string; readonly call: ScriptedCall }[] {
	return script.flatMap((turn, t) => callsOfTurn(turn).map((call, c) => ({ id: callId(t, c), call })));
}

/** Every tool result in the requests so far, as first received. */
export function receivedResults(requests: readonly MessagesRequest[]): Map<string, ReceivedResult> {
	const results = new Map<string, ReceivedResult>();
	const messages = requests.flatMap((request) => request.messages);
	for (const block of messages.flatMap(({ content }) => (typeof content === "string" ? [] : content))) {
		if (block.type !== "tool_result" || block.tool_use_id === undefined) continue;
		if (results.has(block.tool_use_id)) continue;
		const content = typeof block.content === "string" ? [{ type: "text", text: block.content }] : (block.content ?? []);
		results.set(block.tool_use_id, {
			text: content.map((part) => part.text ?? "").join("\n"),
			blocks: content.length,
			isError: block.is_error === true,
		});
	}
	return results;
}

/** Starts the model. The n-th assistant message of a transcript is turn n; past the end it says "done". */
export async function startScriptedModel(script: readonly Turn[]): Promise<ScriptedModel> {
	const requests: MessagesRequest[] = [];
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const body = JSON.parse(Buffer.concat(chunks).toString()) as MessagesRequest;
			requests.push(body);
			const index = body.messages.filter((message) => message.role === "assistant").length;
			answer(response, body.model, script[index] ?? { text: "done" }, index);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function callsOfTurn(turn: Turn): readonly ScriptedCall[] {
	if (Array.isArray(turn)) return turn as readonly ScriptedCall[];
	return "name" in turn ? [turn] : [];
}

function answer(response: ServerResponse, model: string, turn: Turn, index: number): void {
	const send = (event: { type: string; [key: string]: unknown }) =>
		response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	const block = (at: number, start: object, delta: object) => {
		send({ type: "content_block_start", index: at, content_block: start });
		send({ type: "content_block_delta", index: at, delta });
		send({ type: "content_block_stop", index: at });
	};
	const usage = { input_tokens: 1, output_tokens: 1 };
	const calls = callsOfTurn(turn);
	response.writeHead(200, { "content-type": "text/event-stream" });
	send({ type: "message_start", message: { id: "msg", type: "message", role: "assistant", model, content: [], usage } });
	calls.forEach((call, at) => {
		const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
		const start = { type: "tool_use", id: callId(index, at), name: call.name, input: {} };
		block(at, start, { type: "input_json_delta", partial_json: json });
	});
	if ("text" in turn) block(0, { type: "text", text: "" }, { type: "text_delta", text: turn.text });
	send({ type: "message_delta", delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" }, usage });
	send({ type: "message_stop" });
	response.end();
}
