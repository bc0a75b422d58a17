import type { Random } from "../../src/machinery/random/random.ts";
import { mutate, wordsOf } from "./mutate.ts";
import type { PreciseCoverage } from "./precise-coverage.ts";
import type { FuzzTarget } from "./targets.ts";

export interface FuzzOptions {
  readonly target: FuzzTarget;
  /** What to begin with. */
  readonly corpus: readonly Uint8Array[];
  readonly random: Random;
  /** One for all targets of a process: V8 does not count all of the code once more. */
  readonly coverage: PreciseCoverage;
  /** Elapsed milliseconds. */
  readonly elapsed: () => number;
  readonly forMs: number;
}

/** How a target did. */
export interface FuzzReport {
  readonly executions: number;
  /** Blocks of code that were reached. */
  readonly blocks: number;
  /** Inputs that reached code that no input before them did. */
  readonly found: readonly Uint8Array[];
  /** The input that took longest. */
  readonly slowest: { readonly input: Uint8Array; readonly ms: number };
  /** The first input that the target did not bear, and what happened. */
  readonly failure?: { readonly input: Uint8Array; readonly error: unknown };
}

/** Asking V8 what was covered takes as long as tens of executions. */
const batchSize = 64;

/** Runs a target with mutations of inputs that reached new code, until the time is over or one fails. */
export function fuzzTarget({ target, corpus: seeds, ...options }: FuzzOptions): FuzzReport {
  const { random, coverage, elapsed, forMs } = options;
  const words = wordsOf(seeds);
  const corpus = seeds.length > 0 ? [...seeds] : [new Uint8Array()];
  let executions = 0;
  let slowest: FuzzReport["slowest"] = { input: new Uint8Array(), ms: 0 };
  let failure: FuzzReport["failure"];
  const run = (input: Uint8Array) => {
    const began = elapsed();
    try {
      target(input);
    } catch (error) {
      failure ??= { input, error };
    }
    const ms = elapsed() - began;
    executions += 1;
    // The first executions compile the code.
    if (ms > slowest.ms && executions > seeds.length) slowest = { input, ms };
  };
  /** Runs inputs, and keeps those that reach new code: a half of them at a time, since few do. */
  const learn = (inputs: readonly Uint8Array[]) => {
    for (const input of inputs) if (failure === undefined) run(input);
    const reached = [...blocksIn(coverage)].filter((block) => !known.has(block));
    if (reached.length === 0) return;
    const half = Math.floor(inputs.length / 2);
    if (half > 0) {
      learn(inputs.slice(0, half));
      learn(inputs.slice(half));
      return;
    }
    corpus.push(...inputs);
    for (const block of reached) known.add(block);
  };
  for (const input of seeds) run(input);
  const known = blocksIn(coverage);
  const end = elapsed() + forMs;
  const isOver = () => elapsed() >= end || failure !== undefined;
  while (!isOver()) learn(Array.from({ length: batchSize }, () => mutate({ corpus, words }, random)));
  const found = corpus.slice(seeds.length);
  return { executions, blocks: known.size, found, slowest, ...(failure !== undefined && { failure }) };
}

/** Where the code is that counts: ours, and the parser that we call. */
const counted = /\.build\/src\/|\/node_modules\/yaml\//;

/** The blocks that have been executed since the last call. */
function blocksIn(coverage: PreciseCoverage): Set<string> {
  const blocks = new Set<string>();
  for (const { scriptId, url, functions } of coverage.take()) {
    const ranges = counted.test(url) ? functions.flatMap((each) => each.ranges) : [];
    for (const { startOffset, endOffset, count } of ranges)
      if (count > 0) blocks.add(`${scriptId}:${startOffset}:${endOffset}`);
  }
  return blocks;
}
