import type { JsonObject } from "../../api/json.ts";
import { isNotFound } from "../../machinery/client/api-error.ts";
import { failure, throwAll } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { KubectlCommand } from "../kubectl-command.ts";
import { allNamespacesFlag, fileFlags, outputFlags, selectorFlags } from "../line/common-flags.ts";
import { objectPrinter } from "../output/object-printer.ts";
import { reportChange } from "../output/report-change.ts";
import { templateValues, valueText } from "../output/json-path.ts";
import { relaxedPath } from "../output/relaxed-path.ts";
import { type Fetched, fetchTargets, type Item, selectingOf } from "../selection/fetch-objects.ts";
import { listAt, textAt } from "../selection/kube-object.ts";
import { changedTargets } from "../selection/manifest-targets.ts";
import type { Target } from "../selection/targets.ts";
import { resourcePath } from "../server/discovery.ts";
import { watchEvents } from "../server/watch-events.ts";
import { timeLimitOf, TimedOut, withinTime } from "../waiting/time-limit.ts";
import { untilGone } from "../waiting/wait-for-deletion.ts";

/** `kubectl wait`. */
export const wait: KubectlCommand = {
  summary: "Wait for a specific condition on one or many resources",
  operands: "types-and-names",
  flags: {
    ...selectorFlags,
    ...fileFlags,
    ...outputFlags,
    ...allNamespacesFlag,
    all: { type: "boolean" },
    for: { type: "string", choices: ["condition=", "delete", "create", "jsonpath="] },
    timeout: { type: "string", default: "30s" },
  },
  async run(context) {
    const awaited = readCondition(context.text("for"));
    const targets = await changedTargets(context);
    const limit = timeLimitOf(context.text("timeout"), "timeout");
    const isGone = awaited.until === "gone";
    const { items, errors } =
      awaited.until === "created"
        ? await created(context, targets, limit)
        : await fetchTargets(context, targets, selectingOf(context, false));
    throwAll(errors.filter((error) => !isGone || !isNotFound(error)));
    if (items.length === 0 && !isGone) throw failure("no matching resources found");
    const failed: unknown[] = [];
    for (const item of items)
      await waitFor(context, item, { awaited, limit }).catch((error: unknown) => failed.push(error));
    throwAll(failed);
  },
};

type Awaited =
  | { readonly until: "gone" | "created" }
  | { readonly until: "met"; readonly isMet: (object: JsonObject) => boolean };

function readCondition(text: string): Awaited {
  const [kind = "", ...rest] = text.split("=");
  if (kind.toLowerCase() === "delete") return { until: "gone" };
  if (kind.toLowerCase() === "create") return { until: "created" };
  const [type = "", value = "true"] = rest;
  if (kind === "condition" && type !== "")
    return { until: "met", isMet: (object) => hasCondition(object, type, value) };
  if (kind === "jsonpath" && type !== "") return readJsonPath(rest.join("="));
  throw failure(`unrecognized condition: ${JSON.stringify(text)}`);
}

/** Reads `{.path}=value`, or a path that only has to be there. */
function readJsonPath(text: string): Awaited {
  const isWithValue = /^\{.*\}=|^[^{]*=/.test(text);
  const end = isWithValue ? text.lastIndexOf("=") : text.length;
  const template = relaxedPath(text.slice(0, end)) ?? text.slice(0, end);
  const wanted = isWithValue ? text.slice(end + 1).replace(/^'(.*)'$/, "$1") : undefined;
  return { until: "met", isMet: (object) => hasValue(object, template, wanted) };
}

function hasCondition(object: JsonObject, type: string, value: string): boolean {
  const found = listAt(object, "status", "conditions").find(
    (each) => textAt(each, "type").toLowerCase() === type.toLowerCase(),
  );
  const [generation, observed] = [
    textAt(object, "metadata", "generation"),
    textAt(found, "observedGeneration"),
  ];
  if (found === undefined || (observed !== "" && Number(observed) < Number(generation))) return false;
  return textAt(found, "status").toLowerCase() === value.toLowerCase();
}

function hasValue(object: JsonObject, template: string, wanted: string | undefined): boolean {
  const [value] = templateValues(template, object);
  return value !== undefined && (wanted === undefined || valueText(value) === wanted);
}

interface Waiting {
  readonly awaited: Awaited;
  readonly limit: number;
}

async function waitFor(context: Context, item: Item, { awaited, limit }: Waiting): Promise<void> {
  const { resource, object } = item;
  const place = `${resource.plural}/${object.metadata.name}`;
  const met = () =>
    reportChange(context, object, { done: "condition met", dryRun: "none", printer: objectPrinter(context) });
  if (awaited.until === "created" || (awaited.until === "met" && awaited.isMet(object))) {
    met();
    return;
  }
  if (limit === 0) throw failure(`condition not met for ${place}`);
  try {
    await withinTime(context, limit > 0 ? limit : undefined, (limited) =>
      awaited.until === "met" ? untilMet(limited, item, awaited.isMet) : untilGone(limited, item),
    );
    met();
  } catch (error) {
    throw error instanceof TimedOut ? failure(`timed out waiting for the condition on ${place}`) : error;
  }
}

async function untilMet(
  context: Context,
  { resource, object }: Item,
  isMet: (object: JsonObject) => boolean,
): Promise<void> {
  const { name, namespace, resourceVersion = "" } = object.metadata;
  const query = { fieldSelector: `metadata.name=${name}`, resourceVersion };
  for await (const event of watchEvents(context, { path: resourcePath(resource, { namespace }), query }))
    if (event.type !== "DELETED" && isMet(event.object)) return;
}

const retryMs = 500;

/** Asks again until every target exists. */
function created(context: Context, targets: readonly Target[], limit: number): Promise<Fetched> {
  return withinTime(context, limit > 0 ? limit : undefined, async (limited) => {
    for (;;) {
      const found = await fetchTargets(limited, targets, selectingOf(context, false));
      if (limit === 0 || !found.errors.some(isNotFound)) return found;
      await context.io.clock.sleep(retryMs, limited.io.signal);
    }
  });
}
