// pi's TUI on this terminal, with this checkout as its extension and the demo's scripted model on 127.0.0.1.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { PROJECT, script } from "./script.ts";
import { configureHome, createHome, NODE, piArguments, piEnvironment } from "../../__test__/rig/home.ts";
import { startScriptedModel } from "../../__test__/rig/model.ts";

const model = await startScriptedModel(script);
const home = createHome();
configureHome(home, model.url, { quietStartup: false });
console.log("The model is scripted: say anything, and it runs the demo's calls. /sluice sums up, ctrl+o expands, ctrl+d ends.");
const prompt = ["--", "Why does the test suite fail?"];
const pi = spawn(NODE, [...piArguments({}), ...prompt], { cwd: PROJECT, env: piEnvironment(home), stdio: "inherit" });
const [code] = (await once(pi, "close")) as [number | null];
await model.close();
home.remove();
process.exitCode = code ?? 1;
