import type { Pod } from "../../../src/api/generated/core-v1.ts";
import { keyOf } from "../../../src/api/object.ts";
import { compareResourceVersions } from "../../../src/api/resource-version.ts";
import { pods } from "../../../src/api/resources.ts";
import type { Instant } from "../../../src/api/time.ts";
import { isNotFound } from "../../../src/machinery/client/api-error.ts";
import type { Clock } from "../../../src/machinery/clock/clock.ts";
import type { ClientCall } from "../../../src/machinery/client/intercept-client.ts";
import type { Process } from "../../../src/simulation/observation.ts";

interface Answer {
  readonly at: Instant;
  /** Absent: it is gone. */
  readonly pod: Pod | undefined;
}

/** Controllers go by their informers again when what they were answered has not been seen for so long. */
const memoryMs = 300_000;

/**
 * What an process knows of Pods: what its informer shows, and what its own requests have been answered with since.
 * A process that got a response knows of the creation or deletion, whether or not its informer shows it yet.
 */
export class KnownPods {
  readonly #process: Process;
  readonly #clock: Clock;
  /** By UID. */
  readonly #answers = new Map<string, Answer>();

  constructor(process: Process, clock: Clock) {
    this.#process = process;
    this.#clock = clock;
  }

  /** Every Pod, by UID. */
  pods(): ReadonlyMap<string, Pod> {
    const known = new Map<string, Pod>();
    const informer = this.#informer();
    for (const pod of (informer?.list() ?? []) as readonly unknown[] as readonly Pod[])
      known.set(pod.metadata.uid, pod);
    for (const [uid, { at, pod }] of this.#answers) {
      const isOver = this.#clock.now() - at > memoryMs;
      if (isOver || hasRead(informer?.resourceVersion ?? "", pod)) this.#answers.delete(uid);
      else if (pod === undefined) known.delete(uid);
      else known.set(uid, pod);
    }
    return known;
  }

  /** The Pod of a name. */
  find(key: string): Pod | undefined {
    return [...this.pods().values()].find((pod) => keyOf(pod) === key);
  }

  answered(call: ClientCall, answer: unknown): void {
    if (call.collection !== pods.plural) return;
    if (call.verb === "create" || call.verb === "patch") this.#remember(answer as Pod);
    if (call.verb === "delete") this.#deleted(call, answer as Pod | undefined);
  }

  failed(call: ClientCall, error: unknown): void {
    if (call.collection === pods.plural && isNotFound(error)) this.#deleted(call, undefined);
  }

  #remember(pod: Pod): void {
    this.#answers.set(pod.metadata.uid, { at: this.#clock.now(), pod });
  }

  #deleted({ namespace = "", name = "" }: ClientCall, answer: Pod | undefined): void {
    if (answer !== undefined) return this.#remember(answer);
    const meant = this.find(`${namespace}/${name}`);
    if (meant === undefined) return;
    this.#answers.set(meant.metadata.uid, { at: this.#clock.now(), pod: undefined });
  }

  #informer() {
    return this.#process.informers?.all().find(({ resource }) => resource.plural === pods.plural);
  }
}

function hasRead(version: string, pod: Pod | undefined): boolean {
  if (pod === undefined) return false;
  const order = compareResourceVersions(version, pod.metadata.resourceVersion);
  return order !== undefined && order >= 0;
}
