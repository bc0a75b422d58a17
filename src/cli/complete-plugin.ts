#!/usr/bin/env node
import { visibleLine } from "../api/visible-text.ts";
import { commandsFor } from "./commands.ts";
import { completeWords } from "./completion/complete-words.ts";

// kubectl runs `kubectl_complete-trimtab WORDS` to complete `kubectl trimtab WORDS`. One completion a line; the last line
// says whether the shell may add names of files, in the numbers of the Cobra library: 0 it may, 4 it may not.

const words = process.argv.slice(2);
const { words: completions, files } = await completeWords(
  await commandsFor(words.length > 1 ? words : []),
  words,
  AbortSignal.timeout(3000),
).catch(() => ({ words: [], files: false })); // a message would stand in the middle of the user's command line
console.log([...completions.map(visibleLine), files ? ":0" : ":4"].join("\n"));
