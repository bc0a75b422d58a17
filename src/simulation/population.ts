import type { Part, Surroundings } from "../cluster/part-starter.ts";
import type { StoreEvent } from "../cluster/store/store.ts";
import type { Client } from "../machinery/client/client.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { ControllerSpec } from "../machinery/controller.ts";
import type { Expectations } from "../machinery/expectations.ts";
import type { Informers } from "../machinery/informers.ts";
import { type Call, inARow, intercept, type Interceptor } from "./faults/intercept.ts";
import { Line } from "./faults/line.ts";
import { SkewedClock } from "./faults/skewed-clock.ts";
import type { Inhabitant, Observer } from "./observation.ts";
import type { World } from "./world.ts";

/** An inhabitant, and what can be done to it. */
export interface Resident extends Inhabitant {
  readonly line: Line;
  readonly clock: SkewedClock;
  /** Ends this life at once, in the middle of whatever it was about to do. */
  readonly kill: () => void;
}

/** What is wrong with every part, for those who want to see whether anybody notices. */
export interface Mutation {
  readonly client?: (client: Client) => Client;
  readonly controller?: (spec: ControllerSpec) => ControllerSpec;
  readonly expectations?: (clock: Clock) => Expectations;
}

export interface PopulationOptions {
  readonly observer: Observer;
  /** What stands between the lines of a part and the API. */
  readonly obstacles: (part: string) => readonly Interceptor[];
  readonly mutation?: Mutation | undefined;
}

interface Life extends Resident {
  informers: Informers | undefined;
  body: Part | undefined;
  isDead: boolean;
}

/** Everybody who lives in a world, each behind a line of his own. */
export class Population {
  readonly #options: PopulationOptions;
  readonly #lives: Life[] = [];
  readonly #births = new Map<string, number>();
  #writing: { readonly by: Inhabitant; readonly call: Call } | undefined;
  #world: World | undefined;
  /** Of whoever is born next. */
  #skewMs = 0;

  constructor(options: PopulationOptions) {
    this.#options = options;
  }

  /** Who is alive, of one part or of all. */
  living(part?: string): readonly Resident[] {
    return this.#lives.filter((life) => !life.isDead && (part === undefined || life.part === part));
  }

  /** For `startWorld`: every part that is started gets a line and a clock of its own. */
  readonly surroundings = (part: string, shared: Surroundings): Surroundings => {
    const life = this.#bear(part, shared);
    this.#lives.push(life);
    const { mutation = {}, obstacles, observer } = this.#options;
    const { client: mutated = (client) => client, controller = (spec) => spec } = mutation;
    const client = intercept(
      mutated(shared.client),
      inARow([watching(life, observer), life.line.interceptor, ...obstacles(part), this.#arrival(life)]),
    );
    return {
      client,
      clock: life.clock,
      expectations: mutation.expectations?.(life.clock),
      oversee: (spec) => overseen(controller(spec), life, observer),
    };
  };

  /** For `startWorld`: tells of every commit, and who made it. */
  readonly committed = (collection: string, event: StoreEvent): void => {
    this.#options.observer({ kind: "commit", collection, event, ...this.#writing });
  };

  /** Gives those who were born with the world their bodies. */
  settle(world: World): void {
    this.#world = world;
    for (const [index, part] of world.parts.entries()) this.#embody(this.#lives[index], part);
  }

  /** A new life of a part, beside any other, with a clock that is so far ahead. */
  start(part: string, skewMs = 0): void {
    this.#skewMs = skewMs;
    const body = this.#world?.startPart(part);
    this.#skewMs = 0;
    if (body !== undefined) this.#embody(this.#lives.at(-1), body);
  }

  /** Every part lives exactly once: the youngest of several stays. */
  normalise(): void {
    for (const part of this.#births.keys()) {
      const living = this.living(part);
      for (const { kill } of living.slice(0, -1)) kill();
      if (living.length === 0) this.start(part);
    }
  }

  #bear(part: string, { clock }: Surroundings): Life {
    const number = (this.#births.get(part) ?? 0) + 1;
    this.#births.set(part, number);
    const line = new Line();
    const life: Life = {
      part,
      life: number,
      line,
      clock: new SkewedClock(clock, this.#skewMs),
      informers: undefined,
      body: undefined,
      isDead: false,
      kill: () => {
        life.isDead = true;
        line.cut(`${part} has died`);
        void life.body?.stop();
      },
    };
    return life;
  }

  #embody(life: Life | undefined, body: Part): void {
    if (life === undefined) return;
    life.body = body;
    life.informers = body.informers;
  }

  /** The last before the API, which writes before it returns: so whoever calls then is the one who writes. */
  #arrival(by: Inhabitant): Interceptor {
    return {
      call: (call, send) => {
        this.#writing = { by, call };
        try {
          return send();
        } finally {
          this.#writing = undefined;
        }
      },
    };
  }
}

function watching(by: Inhabitant, observer: Observer): Interceptor {
  return {
    async call(call, send) {
      observer({ kind: "called", by, call });
      try {
        const answer = await send();
        observer({ kind: "answered", by, call, answer });
        return answer;
      } catch (error) {
        observer({ kind: "failed", by, call, error });
        throw error;
      }
    },
  };
}

function overseen(spec: ControllerSpec, by: Inhabitant, observer: Observer): ControllerSpec {
  return {
    ...spec,
    async reconcile(key, signal) {
      observer({ kind: "sync-began", by, key });
      try {
        return await spec.reconcile(key, signal);
      } finally {
        observer({ kind: "sync-ended", by, key });
      }
    },
  };
}
