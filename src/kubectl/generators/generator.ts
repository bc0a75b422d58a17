import type { JsonObject } from "../../api/json.ts";
import { CommandFailure, failure, usageFailure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { messageOf } from "../../api/message-of.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, outputFlags } from "../line/common-flags.ts";
import { dryRunOf } from "../line/dry-run.ts";
import type { LineFlags } from "../line/flag.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { findKind } from "../selection/find-type.ts";
import type { KubeObject } from "../selection/kube-object.ts";
import { createObject } from "../server/write-object.ts";

/** Makes an object of flags; its keys have the order of the Go type. */
export interface Generator {
  readonly summary: string;
  readonly flags?: LineFlags;
  readonly aliases?: readonly string[];
  readonly required?: readonly string[];
  /** What is said before the message when it cannot be created; absent: the error as it is. */
  readonly failing?: string;
  readonly isClusterWide?: boolean;
  readonly build: (context: Context, name: string) => JsonObject | Promise<JsonObject>;
}

/** A command that creates what a generator makes. */
export function generatorCommand(generator: Generator): KubectlCommand {
  return {
    summary: generator.summary,
    ...(generator.aliases !== undefined && { aliases: generator.aliases }),
    flags: { ...outputFlags, ...dryRunFlags, ...generator.flags, "save-config": { type: "boolean" } },
    run: (context) => runGenerator(context, generator),
  };
}

async function runGenerator(context: Context, generator: Generator): Promise<void> {
  const missing = (generator.required ?? []).filter((flag) => !context.isGiven(flag));
  if (missing.length > 0)
    throw failure(`required flag(s) ${missing.map((flag) => JSON.stringify(flag)).join(", ")} not set`);
  const names = context.operands.slice(0, context.beforeDash ?? context.operands.length);
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw usageFailure(context.command, `exactly one NAME is required, got ${names.length}`);
  const dryRun = dryRunOf(context);
  const printer = objectPrinter(context, { isTyped: dryRun === "client" });
  const object = withNamespace(context, generator, await generator.build(context, name));
  const created = dryRun === "client" ? object : await create(context, generator, object);
  reportChange(context, created, { done: "created", dryRun, printer });
}

async function create(context: Context, { failing }: Generator, object: KubeObject): Promise<KubeObject> {
  const resource = findKind(await context.server.resources(), object);
  if (resource === undefined)
    throw failure(`the server doesn't have a resource type ${JSON.stringify(object.kind)}`);
  try {
    return await createObject(
      context,
      { resource, object },
      { manager: "kubectl-create", dryRun: dryRunOf(context) },
    );
  } catch (error) {
    if (failing === undefined) throw error;
    throw new CommandFailure(`error: ${failing}: ${messageOf(error)}`);
  }
}

/** Puts name, namespace and an empty time of creation first, as the Go type has them. */
function withNamespace(context: Context, { isClusterWide }: Generator, object: JsonObject): KubeObject {
  const { kind, apiVersion, metadata: given, ...rest } = object;
  const { name, ...metadata } = given as JsonObject;
  const namespace = isClusterWide === true ? {} : { namespace: context.namespace };
  return {
    kind,
    apiVersion,
    metadata: { name, ...namespace, creationTimestamp: null, ...metadata },
    ...rest,
  } as unknown as KubeObject;
}

/** The words behind `--`, or all but the name. */
export function commandOf(context: Context): readonly string[] {
  return context.operands.slice(context.beforeDash ?? 1);
}

/** `{ command }` where there is one. */
export function commandField(context: Context, field = "command"): JsonObject {
  const words = commandOf(context);
  return words.length === 0 ? {} : { [field]: words };
}
