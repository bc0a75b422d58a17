import type { JsonObject } from "../../api/json.ts";
import { formatTime } from "../../api/time.ts";
import { restartedAtAnnotation } from "../../api/well-known.ts";
import { CommandFailure, failure } from "../command-failure.ts";
import { type Context, say } from "../context.ts";
import { templateLines } from "../describe/describe-template.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { dryRunFlags, fileFlags, outputFlags, selectorFlags } from "../line/common-flags.ts";
import { dryRunOf } from "../line/dry-run.ts";
import type { LineFlags } from "../line/flag.ts";
import { alignColumns, tableSpacing } from "../output/align-columns.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import {
  causeAnnotation,
  isAtRevision,
  type Revision,
  workloadRevisions,
  targetRevision,
} from "../rollout/workload-history.ts";
import { isPaused, rolloutStatusText } from "../rollout/rollout-status.ts";
import { templateOf } from "../rollout/deployment-sets.ts";
import { forEachSelected, type Item, selectingOf } from "../selection/fetch-objects.ts";
import { mapAt, nameText } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import { fullPlural, resourcePath } from "../server/discovery.ts";
import { watchEvents } from "../server/watch-events.ts";
import { type ObjectPatch, patchObject } from "../server/write-object.ts";
import { timeLimitOf, TimedOut, withinTime } from "../waiting/time-limit.ts";

const selection: LineFlags = { ...selectorFlags, ...fileFlags, ...outputFlags };

/** Runs something for each workload that a line names; a type alone means all of it. */
async function forWorkloads(context: Context, use: (item: Item) => Promise<void>): Promise<void> {
  if (context.operands.length === 0 && context.list("filename").length === 0)
    throw failure("required resource not specified");
  const selecting = selectingOf(context, true);
  const isOnlyType = context.operands.length === 1 && !context.operands.join("").includes("/");
  const targets = isOnlyType
    ? await changedTargets({ ...context, isOn: (name) => name === "all" || context.isOn(name) })
    : await changedTargets(context);
  await forEachSelected(context, { targets, selecting }, use);
}

type Change = Pick<ObjectPatch, "type" | "body">;

/** A subcommand that patches workloads. */
function patching(
  summary: string,
  done: string,
  {
    patchOf,
    more = {},
  }: { readonly patchOf: (item: Item, context: Context) => Change; readonly more?: LineFlags },
): KubectlCommand {
  return {
    summary,
    operands: "types-and-names",
    flags: { ...selection, ...dryRunFlags, ...more },
    async run(context) {
      const dryRun = dryRunOf(context);
      const printer = objectPrinter(context);
      await forWorkloads(context, async (item) => {
        const patch = { ...patchOf(item, context), manager: "kubectl-rollout", dryRun };
        const object = dryRun === "client" ? item.object : await patchObject(context, item, patch);
        reportChange(context, object, { done, dryRun, printer });
      });
    },
  };
}

const named = ({ resource, object }: Item) =>
  `${fullPlural(resource)} ${JSON.stringify(object.metadata.name)}`;

function requireKind({ resource }: Item, kinds: readonly string[], what: string): void {
  if (!kinds.includes(resource.kind))
    throw failure(`${resource.plural}.${resource.group} ${what} is not supported`);
}

const pause = patching("Mark the provided resource as paused", "paused", {
  patchOf(item) {
    requireKind(item, ["Deployment"], "pausing");
    if (isPaused(item.object)) throw failure(`${named(item)} is already paused`);
    return { type: "strategic", body: { spec: { paused: true } } };
  },
});

const resume = patching("Resume a paused resource", "resumed", {
  patchOf(item) {
    requireKind(item, ["Deployment"], "resuming");
    if (!isPaused(item.object)) throw failure(`${named(item)} is not paused`);
    return { type: "strategic", body: { spec: { paused: null } } };
  },
});

const restart = patching("Restart a resource", "restarted", {
  patchOf(item, { io }) {
    requireKind(item, ["Deployment", "DaemonSet", "StatefulSet"], "restarting");
    if (isPaused(item.object))
      throw failure(`${named(item)} can't restart paused deployment (run rollout resume first)`);
    const annotations = { [restartedAtAnnotation]: formatTime(io.clock.now()) };
    return { type: "strategic", body: { spec: { template: { metadata: { annotations } } } } };
  },
});

const undo: KubectlCommand = {
  summary: "Undo a previous rollout",
  operands: "types-and-names",
  flags: { ...selection, ...dryRunFlags, "to-revision": { type: "string", default: "0" } },
  async run(context) {
    const dryRun = dryRunOf(context);
    const number = Number(context.text("to-revision"));
    await forWorkloads(context, async (item) => {
      const { resource, object } = item;
      if (
        resource.kind === "Deployment" &&
        isPaused(object) &&
        (await workloadRevisions(context, item)).length > 0
      )
        throw failure(
          `you cannot rollback a paused deployment; resume it first with 'kubectl rollout resume deployment/${object.metadata.name}' and try again`,
        );
      const missing = failure(
        `no rollout history found for ${resource.singular} ${JSON.stringify(object.metadata.name)}`,
      );
      const target = targetRevision(await workloadRevisions(context, item), number, missing);
      if (isAtRevision(object, target)) {
        say(
          context,
          `${nameText(object)} skipped rollback (current template already matches revision ${number})`,
        );
        return;
      }
      const body = target.patch ?? [
        { op: "replace", path: "/spec/template", value: templateOf({ spec: { template: target.template } }) },
      ];
      const type = target.patch === undefined ? "json" : "strategic";
      if (dryRun !== "client")
        await patchObject(context, item, { type, body, manager: "kubectl-rollout", dryRun });
      reportChange(context, object, { done: "rolled back", dryRun });
    });
  },
};

const history: KubectlCommand = {
  summary: "View rollout history",
  operands: "types-and-names",
  flags: { ...selection, revision: { type: "string", default: "0" } },
  async run(context) {
    const revision = Number(context.text("revision"));
    await forWorkloads(context, async (item) => {
      const text = await historyText(context, item, revision);
      const suffix = revision > 0 ? `with revision #${revision}` : "";
      say(context, `${nameText(item.object)} ${suffix}\n${text}`);
    });
  },
};

async function historyText(context: Context, item: Item, revision: number): Promise<string> {
  const revisions = await workloadRevisions(context, item);
  if (revisions.length === 0) return "No rollout history found.";
  if (revision === 0) {
    const rows = revisions.map(({ number, cause }) => `${number}\t${cause === "" ? "<none>" : cause}`);
    return `${alignColumns(["REVISION\tCHANGE-CAUSE", ...rows].join("\n"), { ...tableSpacing, minWidth: 0, padding: 2 })}\n`;
  }
  const found = revisions.find(({ number }) => number === revision);
  if (found === undefined) throw failure("unable to find the specified revision");
  return `${templateLines(withCause(found)).join("\n")}\n`;
}

/** The template with the cause of its revision as an annotation. */
function withCause({ template, cause }: Revision): JsonObject {
  const metadata = (template["metadata"] ?? {}) as JsonObject;
  const annotations = {
    ...mapAt(metadata, "annotations"),
    ...(cause !== "" && { [causeAnnotation]: cause }),
  };
  return { ...template, metadata: { ...metadata, annotations } };
}

const status: KubectlCommand = {
  summary: "Show the status of the rollout",
  operands: "types-and-names",
  flags: {
    ...selection,
    watch: { type: "boolean", short: "w", default: true },
    timeout: { type: "string", default: "0s" },
    revision: { type: "string", default: "0" },
  },
  async run(context) {
    const limit = timeLimitOf(context.text("timeout"), "timeout");
    await withinTime(context, limit > 0 ? limit : undefined, (limited) =>
      forWorkloads(limited, (item) => followRollout(limited, item)),
    ).catch((error: unknown) => {
      throw error instanceof TimedOut
        ? new CommandFailure("error: timed out waiting for the condition")
        : error;
    });
  },
};

async function followRollout(context: Context, { resource, object }: Item): Promise<void> {
  const first = rolloutStatusText(object, resource.kind);
  say(context, first.text);
  if (first.isDone || !context.isOn("watch")) return;
  const { name, namespace, resourceVersion = "" } = object.metadata;
  const query = { fieldSelector: `metadata.name=${name}`, resourceVersion };
  for await (const event of watchEvents(context, { path: resourcePath(resource, { namespace }), query })) {
    if (event.type === "DELETED") throw failure("object has been deleted");
    const next = rolloutStatusText(event.object, resource.kind);
    say(context, next.text);
    if (next.isDone) return;
  }
}

/** `kubectl rollout`. */
export const rollout: KubectlCommand = {
  summary: "Manage the rollout of a resource",
  commands: { history, pause, restart, resume, status, undo },
};
