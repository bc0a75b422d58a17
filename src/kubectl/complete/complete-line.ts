import { compareText } from "../../api/compare-text.ts";
import { commands } from "../commands.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import type { KubectlIo } from "../kubectl-io.ts";
import { globalFlags } from "../line/common-flags.ts";
import type { LineFlag, LineFlags } from "../line/flag.ts";
import { listObjects } from "../selection/fetch-objects.ts";
import { findType } from "../selection/find-type.ts";
import { type Server, serverOf } from "../server/server.ts";

/**
 * What may stand in place of the last word of a line, which may be empty: commands, flags and their values, types, and
 * names of objects, which are asked for. A server that does not answer completes nothing.
 */
export async function completeKubectl(words: readonly string[], io: KubectlIo): Promise<readonly string[]> {
  const current = words.at(-1) ?? "";
  const found = await candidates(words.slice(0, -1), current, io).catch(() => []);
  return [...new Set(found)].filter((word) => word.startsWith(current)).toSorted(compareText);
}

async function candidates(
  typed: readonly string[],
  current: string,
  io: KubectlIo,
): Promise<readonly string[]> {
  const line = readTyped(typed);
  const flags = { ...globalFlags, ...line.command?.flags };
  const awaited = awaitedFlag(flags, typed.at(-1));
  if (awaited !== undefined) return valuesOf(awaited, io);
  if (current.startsWith("-")) return flagWords(flags, current);
  if (line.command === undefined) return typed.length === 0 ? Object.keys(commands) : [];
  if (line.command.commands !== undefined && line.operands.length === 0)
    return Object.keys(line.command.commands);
  return operandsOf(line.command, { ...line, current, io });
}

interface Typed {
  readonly command: KubectlCommand | undefined;
  /** The words behind the command that are no flags. */
  readonly operands: readonly string[];
  readonly namespace: string | undefined;
}

function readTyped(typed: readonly string[]): Typed {
  let command: KubectlCommand | undefined;
  const operands: string[] = [];
  for (const [index, word] of typed.entries()) {
    const flags = { ...globalFlags, ...command?.flags };
    if (word.startsWith("-") || awaitedFlag(flags, typed[index - 1]) !== undefined) continue;
    const among = command === undefined ? commands : (command.commands ?? {});
    const next: KubectlCommand | undefined = operands.length === 0 ? among[word] : undefined;
    if (next === undefined) operands.push(word);
    else command = next;
  }
  return { command, operands, namespace: namespaceIn(typed) };
}

function namespaceIn(typed: readonly string[]): string | undefined {
  const [, inline] = /(?:^|\0)(?:--namespace=|-n=?)([^\0]+)/.exec(typed.join("\0")) ?? [];
  const index = typed.findIndex((word) => word === "-n" || word === "--namespace");
  return index === -1 ? inline : typed[index + 1];
}

interface NamedFlag {
  readonly name: string;
  readonly flag: LineFlag;
}

/** The flag that a word names, if the next word is its value. */
function awaitedFlag(flags: LineFlags, word = ""): NamedFlag | undefined {
  if (!word.startsWith("-") || word.includes("=")) return undefined;
  const found = Object.entries(flags).find(
    ([name, { short }]) => word === `--${name}` || word === `-${short ?? ""}`,
  );
  if (found === undefined) return undefined;
  const [name, flag] = found;
  return flag.type === "boolean" || flag.implied !== undefined ? undefined : { name, flag };
}

async function valuesOf({ name, flag }: NamedFlag, io: KubectlIo): Promise<readonly string[]> {
  return name === "namespace" ? namesOf({ io, type: "namespaces", namespace: "" }) : (flag.choices ?? []);
}

function flagWords(flags: LineFlags, current: string): readonly string[] {
  const [name = "", value] = current.split("=");
  const flag = flags[name.slice(2)];
  if (value !== undefined) return (flag?.choices ?? []).map((choice) => `${name}=${choice}`);
  return Object.entries(flags).map(([each, { type, implied }]) =>
    type === "boolean" || implied !== undefined ? `--${each}` : `--${each}=`,
  );
}

interface Operands extends Typed {
  readonly current: string;
  readonly io: KubectlIo;
}

async function operandsOf(
  command: KubectlCommand,
  { operands, current, io, namespace }: Operands,
): Promise<readonly string[]> {
  const place = { io, namespace: namespace ?? io.namespace ?? "default" };
  switch (command.operands) {
    case "nodes":
      return namesOf({ ...place, type: "nodes" });
    case "pods":
      return operands.length === 0 ? namesOf({ ...place, type: "pods" }) : [];
    case "types":
      return operands.length === 0 ? typesOf(io) : [];
    case "types-and-names": {
      const [first] = operands;
      const [type = "", name] = current.split("/");
      if (name !== undefined) return (await namesOf({ ...place, type })).map((each) => `${type}/${each}`);
      if (first === undefined) return typesOf(io);
      return first.includes("/") ? [] : namesOf({ ...place, type: first });
    }
    case undefined:
    default:
      return [];
  }
}

async function typesOf(io: KubectlIo): Promise<readonly string[]> {
  const resources = await serverOf(io).resources();
  return resources
    .filter(({ isPreferred, verbs }) => isPreferred && verbs.includes("list"))
    .map(({ plural }) => plural);
}

interface Names {
  readonly io: KubectlIo;
  readonly type: string;
  readonly namespace: string;
}

async function namesOf({ io, type, namespace }: Names): Promise<readonly string[]> {
  const server: Server = serverOf(io);
  const resource = findType(await server.resources(), type);
  const objects = await listObjects(
    { server },
    { resource, namespace: resource.namespaced ? namespace : "" },
  );
  return objects.map(({ metadata }) => metadata.name);
}
