import { apiFailure } from "../../machinery/client/api-error.ts";
import { type ClientCall, type Interceptor, isWrite } from "../../machinery/client/intercept-client.ts";
import { conflictFailure, connectionReset, timeout } from "./failures.ts";
import type { FaultSchedule } from "./fault-schedule.ts";

/** Something that can go wrong with a request. */
export interface RequestFault {
  readonly name: string;
  readonly appliesTo: (call: ClientCall) => boolean;
  /** Answers the request, by sending it or otherwise. */
  readonly inject: <T>(call: ClientCall, send: () => Promise<T>, schedule: FaultSchedule) => Promise<T>;
}

const conflictingVerbs = new Set(["update", "patch", "delete", "bind"]);

/** Another client was faster: the request is refused with a conflict. */
export const conflicts: RequestFault = {
  name: "conflict",
  appliesTo: ({ verb }) => conflictingVerbs.has(verb),
  inject: (call) => Promise.reject(conflictFailure(call)),
};

/** The request was carried out, and the server answers that it took too long. */
export const successfulTimeouts: RequestFault = {
  name: "timeout-that-succeeded",
  appliesTo: isWrite,
  async inject(_call, send, schedule) {
    await send();
    await schedule.pause(schedule.duration(100, 30_000));
    throw timeout();
  },
};

/** The request was carried out, and its response is lost. */
export const lostResponses: RequestFault = {
  name: "lost-response",
  appliesTo: isWrite,
  async inject(_call, send) {
    await send();
    throw connectionReset();
  },
};

/** The request never arrived. */
export const lostRequests: RequestFault = {
  name: "lost-request",
  appliesTo: () => true,
  inject: () => Promise.reject(connectionReset()),
};

/** The server sheds load. */
export const overload: RequestFault = {
  name: "overload",
  appliesTo: () => true,
  inject: () =>
    Promise.reject(apiFailure(429, "TooManyRequests", "the server has received too many requests")),
};

/** The request, and its response, are slow. */
export const slowRequests: RequestFault = {
  name: "slow-request",
  appliesTo: () => true,
  async inject(_call, send, schedule) {
    await schedule.pause(schedule.duration(1, 2000));
    const answer = await send();
    await schedule.pause(schedule.duration(1, 2000));
    return answer;
  },
};

/** All request faults, one line each. */
export const requestFaults: readonly RequestFault[] = [
  conflicts,
  successfulTimeouts,
  lostResponses,
  lostRequests,
  overload,
  slowRequests,
];

/** Injects faults between a component and the API: at most one in a request. */
export function injectRequestFaults(
  faults: readonly RequestFault[],
  schedule: FaultSchedule,
  component: string,
): Interceptor {
  return {
    call(call, send) {
      const fault = faults.find(
        ({ name, appliesTo }) =>
          appliesTo(call) && schedule.occurs(name, () => ({ component, ...withoutBody(call) })),
      );
      return fault === undefined ? send() : fault.inject(call, send, schedule);
    },
  };
}

function withoutBody({ verb, collection, namespace, name, subresource }: ClientCall) {
  const key = namespace === undefined ? name : `${namespace}/${name ?? ""}`;
  return {
    verb,
    collection,
    ...(key !== undefined && { name: key }),
    ...(subresource !== undefined && { subresource }),
  };
}
