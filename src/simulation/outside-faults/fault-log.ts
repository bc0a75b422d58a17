import { appendFileSync } from "node:fs";
import type { JsonObject } from "../../api/json.ts";
import { formatMicroTime } from "../../api/time.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { countText, textTable } from "../../decisions/explain/text-table.ts";
import type { DrawnFault } from "./fault-draws.ts";
import { type OutsideFaultName, outsideFaults } from "./fault-profiles.ts";
import type { FaultSettings } from "./fault-settings.ts";

/** A fault that was injected. */
export interface InjectedFault {
  readonly fault: OutsideFaultName;
  /** Names it: the same seed injects it again into the same request. */
  readonly identity: string;
  readonly time: string;
  readonly user: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly resource: string;
  /** `namespace/name` of the object, or of its prefix; empty for lists of everything. */
  readonly object: string;
  /** How many such requests there were, with this one. */
  readonly request: number;
  /** The revision of the object, or of the cluster where the fault concerns no single object. */
  readonly revision: number;
}

/** Whom a fault hit, and at which revision. */
export interface FaultOccasion {
  readonly userAgent: string | undefined;
  readonly object?: string | undefined;
  readonly revision: number;
}

/** How many faults are kept; of the earlier ones only their number. */
const mostKept = 10_000;

/** The faults that were injected into the requests of other programs, in their order. */
export class FaultLog {
  readonly #settings: FaultSettings;
  readonly #clock: Pick<Clock, "now">;
  #kept: InjectedFault[] = [];
  #total = 0;

  constructor(settings: FaultSettings, clock: Pick<Clock, "now">) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Adds a fault, and writes it to the file of the settings, if there is one. */
  add({ fault, identity, subject }: DrawnFault, { userAgent = "", object, revision }: FaultOccasion): void {
    const { user, verb, resource, name, count } = subject;
    const time = formatMicroTime(this.#clock.now());
    const injected = {
      fault,
      identity,
      time,
      user,
      userAgent,
      verb,
      resource,
      object: object ?? name,
      request: count,
      revision,
    };
    this.#total++;
    this.#kept.push(injected);
    if (this.#kept.length >= 2 * mostKept) this.#kept = this.#kept.slice(-mostKept);
    const { record } = this.#settings;
    if (record !== undefined) appendFileSync(record, `${JSON.stringify(injected)}\n`);
  }

  /** The latest faults, oldest first. */
  get faults(): readonly InjectedFault[] {
    return this.#kept.slice(-mostKept);
  }

  /** What `/debug/faults` shows. */
  asJson(): JsonObject {
    const { seed, profile, user, agent } = this.#settings;
    return {
      seed,
      profile,
      ...(user !== undefined && { user }),
      ...(agent !== undefined && { agent }),
      injected: this.#total,
      faults: this.faults.map((fault) => ({ ...fault })),
    };
  }

  /** Returns one table of the faults, and a sentence about those that it leaves out. */
  asText(): string {
    const { seed, profile } = this.#settings;
    const title = `Faults of seed ${seed} (${profile}): ${countText(this.#total, "fault")} injected.`;
    const shown = this.faults.slice(-mostShown);
    if (shown.length === 0) return title;
    const omitted = this.#total - shown.length;
    return [
      title,
      ...(omitted > 0 ? [`The last ${shown.length}, without ${omitted} before them:`] : []),
      "",
      ...faultTable(shown),
    ].join("\n");
  }
}

/** How many rows the table has. */
const mostShown = 500;

/** Returns a table of faults, a row each. */
export function faultTable(faults: readonly InjectedFault[]): readonly string[] {
  return textTable(
    ["FAULT", "EFFECT", "USER", "CLIENT", "REQUEST", "OBJECT", "NUMBER", "REVISION"],
    faults.map(({ fault, user, userAgent, verb, resource, object, request, revision }) => [
      fault,
      outsideFaults[fault].effect,
      user,
      userAgent.split(/[/ ]/)[0] ?? "",
      `${verb} ${resource}`,
      object,
      `#${request}`,
      String(revision),
    ]),
  );
}
