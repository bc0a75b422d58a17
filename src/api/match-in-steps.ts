import { surroundingsAt, widthAt } from "./text-surroundings.ts";

/** An instruction of a program that `re2js` has compiled; those of Go's `regexp/syntax`, counted from one. */
interface Instruction {
  readonly op: number;
  /** The next instruction. */
  readonly out: number;
  /** The other next one, or what the text must be like here. */
  readonly arg: number;
  matchRune(rune: number): boolean;
}

/** A compiled pattern as `re2js` has it. */
export interface PatternProgram {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

// The numbers of the instructions.
const alternatives = 1;
const alternativesThatMatch = 2;
const capture = 3;
const emptyWidth = 4;
const match = 6;
const nothing = 7;
const characters = 8;
const oneCharacter = 9;
const anyCharacter = 10;
const anyButLineBreak = 11;

/** Instructions that are looked at before a pause: a few milliseconds. */
export const stepsPerPause = 100_000;
/** What a match may take: about the minute after which kube-apiserver would end the request. */
export const mostSteps = 2_000_000_000;

/** What matches have taken that have a limit in common. */
export interface MatchWork {
  steps: number;
  sincePause: number;
}

export const newMatchWork = (): MatchWork => ({ steps: 0, sincePause: 0 });

/** Pauses if that is due. */
export function* pauseIfDue(work: MatchWork): Generator<undefined, void> {
  if (work.sincePause < stepsPerPause) return;
  yield;
  work.sincePause = 0;
}

/** Where a part of a text that matches begins and ends. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the parts of a text that match, as Go's `FindAllStringIndex` finds them, at most `limit` of them; `undefined` if
 * that takes too many steps. Each instruction is looked at once for each character at most, as in the library; this one
 * pauses.
 */
export function* findPartsInSteps(
  program: PatternProgram,
  text: string,
  { limit, work }: { readonly limit: number; readonly work: MatchWork },
): Generator<undefined, readonly Part[] | undefined> {
  const search = newSearch(program, text, work);
  const parts: Part[] = [];
  let from = 0;
  let lastEnd = -1;
  while (parts.length < limit && from <= text.length) {
    const part = yield* findPart(search, from);
    if (work.steps > mostSteps) return undefined;
    if (part === undefined) break;
    // An empty match right behind the last one does not count.
    if (part.end > from || part.start !== lastEnd) parts.push(part);
    from = part.end === from ? from + widthAt(text, from) : part.end;
    lastEnd = part.end;
  }
  return parts;
}

/** The instructions that are reached at one place of the text, the preferred ones first, and where their match began. */
interface Threads {
  readonly instructions: Int32Array;
  readonly began: Int32Array;
  /** The place of each instruction above, if it is there. */
  readonly places: Int32Array;
  size: number;
}

interface Search {
  readonly program: PatternProgram;
  readonly text: string;
  readonly work: MatchWork;
  readonly stack: Int32Array;
  readonly pair: [Threads, Threads];
}

function newSearch(program: PatternProgram, text: string, work: MatchWork): Search {
  const { length } = program.inst;
  const threads = (): Threads => ({
    instructions: new Int32Array(length),
    began: new Int32Array(length),
    places: new Int32Array(length),
    size: 0,
  });
  return { program, text, work, stack: new Int32Array(2 * length + 2), pair: [threads(), threads()] };
}

/** Finds the leftmost part of the text that matches, and of several the one that is preferred (upstream: leftmost-first). */
function* findPart(search: Search, from: number): Generator<undefined, Part | undefined> {
  const { text, program, work } = search;
  let [current, next] = search.pair;
  let found: Part | undefined;
  let around = surroundingsAt(text, from);
  current.size = 0;
  let at = from;
  while (at <= text.length && work.steps <= mostSteps) {
    if (found === undefined) reach(search, current, { instruction: program.start, began: at, around });
    else if (current.size === 0) return found;
    const behind = at + widthAt(text, at);
    around = surroundingsAt(text, behind);
    next.size = 0;
    const before = work.steps;
    found = advance(search, [current, next], { at, around }) ?? found;
    work.sincePause += work.steps - before;
    [current, next] = [next, current];
    at = behind;
    if (work.sincePause >= stepsPerPause) yield* pauseIfDue(work);
  }
  return found;
}

/** Moves the threads over a character; returns the match that the preferred one of those that have ended has found. */
function advance(
  search: Search,
  [current, next]: readonly [Threads, Threads],
  { at, around }: { readonly at: number; readonly around: number },
): Part | undefined {
  const { program, text, work } = search;
  const character = text.codePointAt(at) ?? -1;
  work.steps += current.size + 1;
  for (let index = 0; index < current.size; index++) {
    const instruction = program.inst[current.instructions[index] ?? 0];
    const began = current.began[index] ?? 0;
    if (instruction?.op === match) return { start: began, end: at };
    if (at < text.length && instruction !== undefined && accepts(instruction, character))
      reach(search, next, { instruction: instruction.out, began, around });
  }
  return undefined;
}

function accepts(instruction: Instruction, character: number): boolean {
  const { op } = instruction;
  if (op === characters || op === oneCharacter) return instruction.matchRune(character);
  return op === anyCharacter || (op === anyButLineBreak && character !== 10);
}

/** Adds an instruction and those that it leads to without a character. */
function reach(
  { program, stack, work }: Search,
  threads: Threads,
  from: { readonly instruction: number; readonly began: number; readonly around: number },
): void {
  let height = 1;
  stack[0] = from.instruction;
  while (height > 0) {
    height -= 1;
    const at = stack[height] ?? 0;
    const place = threads.places[at] ?? 0;
    work.steps += 1;
    if (place < threads.size && threads.instructions[place] === at) continue;
    threads.places[at] = threads.size;
    threads.instructions[threads.size] = at;
    threads.began[threads.size] = from.began;
    threads.size += 1;
    const instruction = program.inst[at];
    if (instruction === undefined) continue;
    // The first alternative is looked at before the other one.
    if (isChoice(instruction)) stack[height++] = instruction.arg;
    if (goesOn(instruction, from.around)) stack[height++] = instruction.out;
  }
}

function isChoice({ op }: Instruction): boolean {
  return op === alternatives || op === alternativesThatMatch;
}

/** Reports whether an instruction leads to the next one without a character. */
function goesOn(instruction: Instruction, around: number): boolean {
  const { op, arg } = instruction;
  if (op === emptyWidth) return (arg & ~around) === 0;
  return op === capture || op === nothing || isChoice(instruction);
}
