import type { JsonObject } from "../../api/json.ts";
import { ifFound } from "../../machinery/client/api-error.ts";
import { lastAppliedAnnotation } from "../../api/well-known.ts";
import { lastAppliedOf, withLastAppliedAnnotation } from "../apply/last-applied.ts";
import { mergeSchemaOf } from "../apply/merge-schema.ts";
import { applyOnServer } from "../apply/server-side.ts";
import { threeWayPatch } from "../apply/three-way-patch.ts";
import { failure, notSupportedHere, throwAll } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, fileFlags, outputFlags } from "../line/common-flags.ts";
import { type DryRunMode, dryRunOf } from "../line/dry-run.ts";
import { goJson } from "../output/go-json.ts";
import { goYaml } from "../output/go-yaml.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { forEachSelected } from "../selection/fetch-objects.ts";
import type { KubeObject } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { type ManifestObject, readNamedManifests } from "../selection/read-manifests.ts";
import { fullPlural, resourcePath } from "../server/discovery.ts";
import { createObject, patchObject, strategicOrMerge } from "../server/write-object.ts";
import { withSource } from "./create.ts";

const manager = "kubectl-client-side-apply";

const viewLastApplied: KubectlCommand = {
  summary: "View the latest last-applied-configuration annotations of a resource/object",
  operands: "types-and-names",
  flags: { ...fileFlags, output: { type: "string", short: "o", default: "yaml", choices: ["yaml", "json"] } },
  async run(context) {
    const targets = await changedTargets(context);
    await forEachSelected(context, { targets }, async ({ object }) => {
      const applied = lastAppliedOf(object);
      if (applied === undefined)
        throw failure(`no last-applied-configuration annotation found on resource: ${object.metadata.name}`);
      const shown = withoutEmptyAnnotations(applied);
      context.io.out(context.text("output") === "json" ? `${goJson(shown, 2)}\n` : goYaml(shown));
    });
  },
};

function withoutEmptyAnnotations(applied: JsonObject): JsonObject {
  const { annotations = {}, ...metadata } = (applied["metadata"] ?? {}) as JsonObject;
  const isEmpty = Object.keys(annotations as JsonObject).length === 0;
  return { ...applied, metadata: isEmpty ? metadata : { ...metadata, annotations } };
}

/** `kubectl apply`. */
export const apply: KubectlCommand = {
  summary: "Apply a configuration to a resource by file name or stdin",
  commands: { "view-last-applied": viewLastApplied },
  flags: {
    ...fileFlags,
    ...outputFlags,
    ...dryRunFlags,
    "server-side": { type: "boolean" },
    "force-conflicts": { type: "boolean" },
    selector: { type: "string", short: "l" },
    validate: { type: "string", implied: "strict" },
    overwrite: { type: "boolean", default: true },
    prune: { type: "boolean" },
    force: { type: "boolean" },
    wait: { type: "boolean" },
  },
  async run(context) {
    if (context.list("filename").length === 0) throw failure("must specify one of -f and -k");
    for (const flag of ["prune", "force"]) if (context.isOn(flag)) throw notSupportedHere(`apply --${flag}`);
    const dryRun = dryRunOf(context);
    const isOnServer = context.isOn("server-side");
    if (isOnServer && dryRun === "client")
      throw failure(
        "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
      );
    const printer = objectPrinter(context);
    const manifests = await readNamedManifests(context);
    if (manifests.length === 0) throw failure("no objects passed to apply");
    const errors: unknown[] = [];
    for (const manifest of manifests) {
      try {
        const { object, done } = await applyOne(context, manifest, dryRun);
        reportChange(context, object, { done, dryRun, printer });
      } catch (error) {
        errors.push(isOnServer ? error : withSource(error, "applying patch from", manifest.source));
      }
    }
    throwAll(errors);
  },
};

async function applyOne(context: Context, manifest: ManifestObject, dryRun: DryRunMode): Promise<Applied> {
  if (!context.isOn("server-side")) return applyFromHere(context, manifest, dryRun);
  return { object: await applyOnServer(context, manifest, dryRun), done: "serverside-applied" };
}

interface Applied {
  readonly object: KubeObject;
  readonly done: "created" | "configured" | "unchanged" | "serverside-applied";
}

async function applyFromHere(
  context: Context,
  manifest: ManifestObject,
  dryRun: DryRunMode,
): Promise<Applied> {
  const { resource, object } = manifest;
  const { name, namespace } = object.metadata;
  const modified = withLastAppliedAnnotation(object);
  const live = (await ifFound(context.server.get(resourcePath(resource, { namespace, name })))) as
    | KubeObject
    | undefined;
  if (live === undefined) {
    const created =
      dryRun === "client"
        ? modified
        : await createObject(context, { resource, object: modified }, { manager, dryRun });
    return { object: created, done: "created" };
  }
  const original = lastAppliedOf(live);
  if (original === undefined) context.io.err(missingText(`${fullPlural(resource)}/${name}`));
  if (dryRun === "client") return { object: modified, done: "configured" };
  const type = strategicOrMerge(resource);
  const schema = type === "strategic" ? await mergeSchemaOf(context, resource) : undefined;
  const body = threeWayPatch({ original: original ?? {}, modified, current: live }, schema);
  if (Object.keys(body).length === 0) return { object: live, done: "unchanged" };
  return {
    object: await patchObject(context, manifest, { type, body, manager, dryRun }),
    done: "configured",
  };
}

function missingText(what: string): string {
  return `Warning: resource ${what} is missing the ${lastAppliedAnnotation} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`;
}
