// A model that answers from a script: Anthropic's streaming Messages API on the loopback interface.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One tool call of the scripted model. `arguments` given as a string goes out verbatim, valid JSON or not. */
export interface ScriptedCall {
	readonly name: string;
	readonly arguments: Record<string, unknown> | string;
}

/** What the model answers: one call, several in one message, or a text that ends the run. */
export type Answer = ScriptedCall | readonly ScriptedCall[] | { readonly text: string };

/** An answer, or how to find it from the results received so far, in order. */
export type Turn = Answer | ((results: readonly ReceivedResult[]) => Answer);

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

/** A call as the model made it. */
export interface IssuedCall {
	readonly id: string;
	readonly call: ScriptedCall;
}

/** A running scripted model. */
export interface ScriptedModel {
	readonly url: string;
	readonly requests: readonly MessagesRequest[];
	/** The calls made so far, in order. */
	readonly calls: readonly IssuedCall[];
	close(): Promise<void>;
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
	const calls = new Map<string, IssuedCall>();
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			const body = JSON.parse(Buffer.concat(chunks).toString()) as MessagesRequest;
			requests.push(body);
			const index = body.messages.filter((message) => message.role === "assistant").length;
			const turn = script[index] ?? { text: "done" };
			const answer = typeof turn === "function" ? turn([...receivedResults([body]).values()]) : turn;
			const made = callsOf(answer).map((call, at) => ({ id: `toolu_${index}_${at}`, call }));
			for (const call of made) calls.set(call.id, call);
			respond(response, body.model, made, "text" in answer ? answer.text : undefined);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		get calls() {
			return [...calls.values()];
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function callsOf(answer: Answer): readonly ScriptedCall[] {
	if (Array.isArray(answer)) return answer as readonly ScriptedCall[];
	return "name" in answer ? [answer] : [];
}

function respond(response: ServerResponse, model: string, calls: readonly IssuedCall[], text: string | undefined): void {
	const send = (event: { type: string; [key: string]: unknown }) =>
		response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
	const block = (at: number, start: object, delta: object) => {
		send({ type: "content_block_start", index: at, content_block: start });
		send({ type: "content_block_delta", index: at, delta });
		send({ type: "content_block_stop", index: at });
	};
	const usage = { input_tokens: 1, output_tokens: 1 };
	response.writeHead(200, { "content-type": "text/event-stream" });
	send({ type: "message_start", message: { id: "msg", type: "message", role: "assistant", model, content: [], usage } });
	calls.forEach(({ id, call }, at) => {
		const json = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
		block(at, { type: "tool_use", id, name: call.name, input: {} }, { type: "input_json_delta", partial_json: json });
	});
	if (text !== undefined) block(0, { type: "text", text: "" }, { type: "text_delta", text });
	send({ type: "message_delta", delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn" }, usage });
	send({ type: "message_stop" });
	response.end();
}
