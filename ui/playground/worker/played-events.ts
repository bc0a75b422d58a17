import { parseDocument } from "yaml";
import { formatDuration, parseDuration } from "../../../src/api/duration.ts";
import type { JsonObject } from "../../../src/api/json.ts";
import type { PageAction } from "../../../src/page/contract.ts";

/** Something that a reader did, as scenario files have it. */
export interface PlayedEvent extends JsonObject {
  /** Such as `12.345s`. */
  readonly at: string;
}

/** How much longer a scenario is than what was done in it. */
const afterLastMs = 600_000;

/** A time since the beginning, as events have it. */
export const playedTimeText = (ms: number): string => `${Math.round(ms) / 1000}s`;

/** Writes an action as what an event does. */
export function actionOf(action: PageAction): JsonObject {
  switch (action.action) {
    case "scale": {
      const { replicas } = action;
      return { scale: { ...workloadOf(action), replicas } };
    }
    case "restart":
      return { restart: workloadOf(action) };
    case "fail":
      return { down: nodesOf(action) };
    case "restore":
      return { up: nodesOf(action) };
    case "cordon":
    case "uncordon":
    case "drain":
      return { [action.action]: nodesOf(action) };
  }
}

function workloadOf({ kind, name, namespace }: Extract<PageAction, { readonly kind: string }>) {
  return {
    workload: `${kind.toLowerCase()}/${name}`,
    ...(namespace !== undefined && namespace !== "default" && { namespace }),
  };
}

function nodesOf(action: { readonly node: string } | { readonly zone: string }): JsonObject {
  return "node" in action ? { node: action.node } : { zone: action.zone };
}

/** Adds events to the text of a scenario, which can be read, and makes it long enough for them. */
export function withEvents(scenario: string, events: readonly PlayedEvent[]): string {
  const last = events.at(-1);
  if (last === undefined) return scenario;
  const document = parseDocument(scenario);
  if (document.has("events"))
    for (const event of events) document.addIn(["events"], document.createNode(event));
  else document.set("events", document.createNode(events));
  const neededMs = (parseDuration(last.at) ?? 0) + afterLastMs;
  const given = document.get("duration");
  if (typeof given === "string" && (parseDuration(given) ?? 0) < neededMs)
    document.set("duration", formatDuration(Math.ceil(neededMs / 60_000) * 60_000));
  return document.toString();
}
