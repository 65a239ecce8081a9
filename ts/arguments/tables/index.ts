import type { ToolName } from "../../schemas/index.ts";
import type { Table } from "../types.ts";
import { bash } from "./bash.ts";
import { edit } from "./edit.ts";
import { find } from "./find.ts";
import { grep } from "./grep.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** What is known about the arguments of each tool. */
export const tables: Readonly<Record<ToolName, Table>> = { read, write, edit, bash, grep, find, ls };
