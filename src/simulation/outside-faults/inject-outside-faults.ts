import type { ApiRequest } from "../../cluster/apiserver/request/api-request.ts";
import type { ApiResponse } from "../../cluster/apiserver/request/api-response.ts";
import { resourceExpired } from "../../cluster/apiserver/status-errors.ts";
import type { ServedWatchEvent } from "../../cluster/apiserver/watch/served-watch-event.ts";
import type { OutsideRequests, OutsideRequestsFactory } from "../../cluster/outside-requests.ts";
import type { Store } from "../../cluster/store/store.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import { type Random, randomInt } from "../../machinery/random/random.ts";
import { DisturbedWatch, type WatchEnding } from "./disturbed-watch.ts";
import { ExpiringLeases } from "./expiring-leases.ts";
import { type DrawnFault, FaultDraws, type NumberedSubject } from "./fault-draws.ts";
import { FaultLog } from "./fault-log.ts";
import { probabilitiesOf } from "./fault-profiles.ts";
import type { FaultSettings } from "./fault-settings.ts";
import { readOnlyFaults } from "./only-faults.ts";
import { RequestSubjects } from "./request-subject.ts";
import { acceptsAnyState, listedAt, olderRevision } from "./stale-list.ts";
import { faultsOfWrite, isDurableWrite, writeFault } from "./write-faults.ts";

/** Faults in the requests of other programs, and what was injected. */
export interface OutsideFaults {
  readonly outsideRequests: OutsideRequestsFactory;
  /** The log of the cluster that was started with them; absent before that. */
  readonly log: () => FaultLog | undefined;
}

/** Creates the faults of a cluster; throws when the file with the only faults cannot be read. */
export function outsideFaultsOf(settings: FaultSettings): OutsideFaults {
  const only = settings.only === undefined ? undefined : identitiesIn(settings.only);
  let log: FaultLog | undefined;
  return {
    outsideRequests: ({ store, clock }) => {
      log = new FaultLog(settings, clock);
      return new FaultInjector({ settings, store, clock, log, only });
    },
    log: () => log,
  };
}

function identitiesIn(file: string): ReadonlySet<string> {
  const read = readOnlyFaults(file);
  if (!read.ok) throw new Error(read.problem);
  return new Set(read.identities);
}

interface InjectorOptions {
  readonly settings: FaultSettings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: FaultLog;
  readonly only: ReadonlySet<string> | undefined;
}

/** Disturbs requests and watches, within what a Kubernetes API server may do to them. */
class FaultInjector implements OutsideRequests {
  readonly #options: InjectorOptions;
  readonly #draws: FaultDraws;
  readonly #subjects: RequestSubjects;
  readonly #leases: ExpiringLeases;

  constructor(options: InjectorOptions) {
    const { settings, store, clock, only } = options;
    this.#options = options;
    this.#draws = new FaultDraws(settings.seed, probabilitiesOf(settings.profile) ?? new Map(), only);
    this.#subjects = new RequestSubjects(store);
    this.#leases = new ExpiringLeases(store, clock);
  }

  debug = (path: string) => (path === "/debug/faults" ? this.#options.log.asJson() : undefined);

  async handle(
    request: ApiRequest,
    handle: (request: ApiRequest) => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    if (!this.#concerns(request)) return handle(request);
    if (isDurableWrite(request)) return this.#write(request, handle);
    if (request.verb === "watch") return this.#watch(request, handle);
    return acceptsAnyState(request) ? this.#list(request, handle) : handle(request);
  }

  #concerns({ user, userAgent = "" }: ApiRequest): boolean {
    const { settings } = this.#options;
    return (settings.user ?? user.name) === user.name && userAgent.startsWith(settings.agent ?? "");
  }

  async #write(
    request: ApiRequest,
    handle: (request: ApiRequest) => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    const subject = this.#draws.count(this.#subjects.of(request));
    this.#leases.check(request);
    const lost = this.#leases.isRenewal(request) ? this.#draws.draw(subject, ["lease-expired"]) : undefined;
    if (lost !== undefined) {
      this.#leases.expire(request);
      this.#record(request, lost);
      this.#leases.check(request);
    }
    const drawn = this.#draws.draw(subject, faultsOfWrite(request));
    if (drawn === undefined) return handle(request);
    const { takesEffect, error } = writeFault(drawn.fault, request);
    if (!takesEffect) {
      this.#record(request, drawn);
      throw error;
    }
    const answer = await handle(request);
    const { object } = answer.kind === "object" ? answer.item : {};
    this.#record(
      request,
      drawn,
      object === undefined ? {} : { name: object.metadata.name, revision: object.metadata.resourceVersion },
    );
    throw error;
  }

  async #list(
    request: ApiRequest,
    handle: (request: ApiRequest) => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    const { store } = this.#options;
    const drawn = this.#draws.draw(this.#draws.count(this.#subjects.of(request)), ["stale-list"]);
    const revision = drawn === undefined ? undefined : olderRevision(store, request, drawn.random);
    if (drawn === undefined || revision === undefined) return handle(request);
    try {
      const answer = await handle(listedAt(request, revision));
      this.#record(request, drawn, { revision: String(revision) });
      return answer;
    } catch (error) {
      if (error instanceof ApiError && error.code === 410) return handle(request); // it was dropped just now
      throw error;
    }
  }

  async #watch(
    request: ApiRequest,
    handle: (request: ApiRequest) => Promise<ApiResponse>,
  ): Promise<ApiResponse> {
    const { store, clock } = this.#options;
    const subject = this.#draws.count(this.#subjects.of(request));
    const ending = this.#endingOf(request, subject);
    if (ending?.by === "expired" && continues(request)) {
      ending.ended(undefined);
      throw resourceExpired(`too old resource version: ${request.options.resourceVersion}`);
    }
    const openedAt = store.revision();
    const answer = await handle(request);
    if (answer.kind !== "watch") return answer;
    const stream = new DisturbedWatch(answer.stream, {
      clock,
      ending,
      holdMs: (event) => this.#holdMs(request, event, openedAt),
    });
    return { ...answer, stream };
  }

  /** Draws how a watch ends before its time. */
  #endingOf(request: ApiRequest, subject: NumberedSubject): WatchEnding | undefined {
    const drawn = this.#draws.draw(subject, ["watch-expired", "watch-cut"]);
    if (drawn === undefined) return undefined;
    return {
      by: drawn.fault === "watch-cut" ? "cut" : "expired",
      afterEvents: randomInt(drawn.random, mostEventsBefore),
      ended: (event) => this.#record(request, drawn, placeOf(event)),
    };
  }

  /** Draws for how long an event is held back. Those that show what was there when the watch began are not. */
  #holdMs(request: ApiRequest, event: ServedWatchEvent, openedAt: number): number {
    if (!("item" in event) || Number(event.item.object.metadata.resourceVersion) <= openedAt) return 0;
    const subject = this.#draws.count(this.#subjects.ofEvent(request, event.item.object));
    const drawn = this.#draws.draw(subject, ["late-event", "bunched-events"]);
    if (drawn === undefined) return 0;
    this.#record(request, drawn, placeOf(event));
    return drawn.fault === "late-event" ? spreadOver(latenessMs, drawn.random) : bunchedMs;
  }

  #record({ userAgent, namespace }: ApiRequest, drawn: DrawnFault, place: Place = {}): void {
    const { log, store } = this.#options;
    const { name, revision } = place;
    const object =
      name === undefined ? undefined : [place.namespace ?? namespace ?? [], name].flat().join("/");
    log.add(drawn, { userAgent, object, revision: Number(revision ?? store.revision()) });
  }
}

/** Where a fault was injected, as far as it is not the request itself. */
interface Place {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly revision?: string | undefined;
}

/** A watch that ends early does so before one of its first events. */
const mostEventsBefore = 12;
/** How late an event may be. */
const latenessMs = { least: 20, most: 800 };
/** How long events wait that then arrive at once. */
const bunchedMs = 1200;

/** Draws a duration, its logarithm evenly distributed. */
function spreadOver(
  { least, most }: { readonly least: number; readonly most: number },
  random: Random,
): number {
  return Math.round(least * (most / least) ** random.next());
}

/** Reports whether a watch goes on behind a state that its client has seen. */
function continues({ options }: ApiRequest): boolean {
  const { resourceVersion = "", sendInitialEvents } = options;
  return resourceVersion !== "" && resourceVersion !== "0" && sendInitialEvents !== true;
}

function placeOf(event: ServedWatchEvent | undefined): Place {
  if (event === undefined || !("item" in event)) return {};
  const { namespace, name, resourceVersion } = event.item.object.metadata;
  return { namespace, name, revision: resourceVersion };
}
