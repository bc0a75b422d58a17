import { ApiError } from "../../machinery/client/api-error.ts";
import { failure, notSupportedHere, throwAll, usageFailure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { accessGenerators } from "../generators/access-generators.ts";
import { configurationGenerators, secretGenerators } from "../generators/configuration-generators.ts";
import { type Generator, generatorCommand } from "../generators/generator.ts";
import { ingressGenerators, serviceGenerators } from "../generators/network-generators.ts";
import { podGenerator, workloadGenerators } from "../generators/workload-generators.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, fileFlags, outputFlags } from "../line/common-flags.ts";
import { type DryRunMode, dryRunOf } from "../line/dry-run.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { type ManifestObject, readNamedManifests } from "../selection/read-manifests.ts";
import type { KubeObject } from "../selection/kube-object.ts";
import { createObject, replaceObject } from "../server/write-object.ts";

const commandsOf = (generators: Readonly<Record<string, Generator>>) =>
  Object.fromEntries(
    Object.entries(generators).map(([name, generator]) => [name, generatorCommand(generator)]),
  );

const manifestFlags = {
  ...fileFlags,
  ...outputFlags,
  ...dryRunFlags,
  raw: { type: "string" },
  validate: { type: "string", implied: "strict", default: "strict" },
  "save-config": { type: "boolean" },
} as const;

/** `kubectl create`. */
export const create: KubectlCommand = {
  summary: "Create a resource from a file or from stdin",
  flags: manifestFlags,
  commands: {
    ...commandsOf({
      ...workloadGenerators,
      ...configurationGenerators,
      ...ingressGenerators,
      ...accessGenerators,
    }),
    service: { summary: "Create a service", aliases: ["svc"], commands: commandsOf(serviceGenerators) },
    secret: { summary: "Create a secret", commands: commandsOf(secretGenerators) },
  },
  async run(context) {
    const { operands } = context;
    if (operands.length > 0) throw usageFailure("create", `Unexpected args: [${operands.join(" ")}]`);
    if (context.isGiven("raw")) throw notSupportedHere("--raw");
    await writeManifests(context, { done: "created", when: "creating", what: "create", write: createObject });
  },
};

/** `kubectl replace`. */
export const replace: KubectlCommand = {
  summary: "Replace a resource by file name or stdin",
  flags: manifestFlags,
  run: (context) =>
    writeManifests(context, { done: "replaced", when: "replacing", what: "replace", write: replaceObject }),
};

/** `kubectl run`. */
export const runPod: KubectlCommand = generatorCommand(podGenerator);

interface Writing {
  readonly done: string;
  readonly when: string;
  readonly what: string;
  readonly write: typeof createObject;
}

async function writeManifests(context: Context, { done, when, what, write }: Writing): Promise<void> {
  const dryRun = dryRunOf(context);
  if (context.list("filename").length === 0) throw failure("must specify one of -f and -k");
  const manifests = await readNamedManifests(context);
  if (manifests.length === 0) throw failure(`no objects passed to ${what}`);
  const printer = objectPrinter(context);
  const errors: unknown[] = [];
  for (const manifest of manifests) {
    try {
      reportChange(context, await written(context, manifest, { dryRun, write }), { done, dryRun, printer });
    } catch (error) {
      errors.push(withSource(error, when, manifest.source));
    }
  }
  throwAll(errors);
}

async function written(
  context: Context,
  manifest: ManifestObject,
  { dryRun, write }: { readonly dryRun: DryRunMode; readonly write: typeof createObject },
): Promise<KubeObject> {
  return dryRun === "client"
    ? manifest.object
    : write(context, manifest, { manager: "kubectl-create", dryRun });
}

/** Says in an error which manifest is at fault. */
export function withSource(error: unknown, when: string, source: string): unknown {
  if (!(error instanceof ApiError)) return error;
  return new ApiError({
    ...error.status,
    message: `error when ${when} ${JSON.stringify(source)}: ${error.message}`,
  });
}
