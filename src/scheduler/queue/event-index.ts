import {
  type ClusterEvent,
  clusterEventTypeOf,
  type QueueingHints,
} from "../../decisions/placement/cluster-event.ts";
import type { PodInfo } from "../../decisions/placement/objects/pod-info.ts";
import type { ClusterView } from "../../decisions/placement/view/cluster-view.ts";
import { schedulerNameOf } from "../scheduler-name.ts";
import { type QueuedPod, uidOf } from "./queued-pod.ts";

export interface EventIndexOptions {
  /** The hints of a Pod's profile, by plugin. */
  readonly hintsFor: (pod: PodInfo) => ReadonlyMap<string, QueueingHints>;
  readonly cluster: ClusterView;
}

/** Pods of one template and profile, by UID: an event helps all of them or none. */
type Group = Map<string, QueuedPod>;

/**
 * The Pods that wait for an event, by the plugin that rejected them and by template. A thousand replicas that do not fit
 * cost an event one evaluation of a hint, and nothing when the plugin is not interested in the event.
 */
export class EventIndex {
  readonly #options: EventIndexOptions;
  readonly #groups = new Map<string, Map<string, Group>>();

  constructor(options: EventIndexOptions) {
    this.#options = options;
  }

  add(entry: QueuedPod): void {
    const key = this.#groupKey(entry);
    for (const plugin of entry.unschedulablePlugins) {
      const groups = this.#groups.get(plugin) ?? new Map<string, Group>();
      const group = groups.get(key) ?? new Map<string, QueuedPod>();
      group.set(uidOf(entry), entry);
      groups.set(key, group);
      this.#groups.set(plugin, groups);
    }
  }

  remove(entry: QueuedPod): void {
    const key = this.#groupKey(entry);
    for (const plugin of entry.unschedulablePlugins) {
      const groups = this.#groups.get(plugin);
      const group = groups?.get(key);
      group?.delete(uidOf(entry));
      if (group?.size === 0) groups?.delete(key);
      if (groups?.size === 0) this.#groups.delete(plugin);
    }
  }

  /** The Pods that an event may make schedulable, by the hints of the plugins that rejected them. */
  helpedBy(event: ClusterEvent): readonly QueuedPod[] {
    const type = clusterEventTypeOf(event);
    const helped = new Map<string, QueuedPod>();
    for (const [plugin, groups] of this.#groups) {
      for (const group of groups.values()) {
        const hints = this.#hintsOf(group, plugin);
        if (hints?.events.has(type) !== true) continue;
        for (const entry of this.#helpedIn(group, event, hints)) helped.set(uidOf(entry), entry);
      }
    }
    return [...helped.values()];
  }

  #hintsOf(group: Group, plugin: string): QueueingHints | undefined {
    const [first] = group.values();
    return first === undefined ? undefined : this.#options.hintsFor(first.info).get(plugin);
  }

  #helpedIn(
    group: Group,
    event: ClusterEvent,
    { isPerTemplate, isHelpful }: QueueingHints,
  ): readonly QueuedPod[] {
    const { cluster } = this.#options;
    const entries = [...group.values()];
    const isHelped = ({ info }: QueuedPod): boolean => isHelpful(info, event, cluster);
    if (isPerTemplate !== true) return entries.filter(isHelped);
    const [first] = entries;
    return first !== undefined && isHelped(first) ? entries : [];
  }

  #groupKey({ info }: QueuedPod): string {
    const { columns } = this.#options.cluster;
    return `${schedulerNameOf(info.pod)} ${columns.templateOf(info).key}`;
  }
}

/** What the hints of a waiting Pod are evaluated with. */
export interface HintContext {
  /** The hints of the Pod's profile, by plugin. */
  readonly hints: ReadonlyMap<string, QueueingHints>;
  readonly cluster: ClusterView;
}

/** Whether an event may make a Pod schedulable, by the hints of the plugins that rejected it. */
export function isWorthRequeuing(
  { unschedulablePlugins, info }: QueuedPod,
  event: ClusterEvent,
  { hints, cluster }: HintContext,
): boolean {
  const type = clusterEventTypeOf(event);
  for (const plugin of unschedulablePlugins) {
    const hint = hints.get(plugin);
    if (hint?.events.has(type) === true && hint.isHelpful(info, event, cluster)) return true;
  }
  return false;
}
