import { conflict, connectionReset, apiFailure, timeout } from "./failures.ts";
import { isWrite } from "../../machinery/client/intercept-client.ts";
import type { RequestFault } from "./request-fault.ts";

const conflicting = new Set(["update", "patch", "delete", "bind"]);

/** Somebody else was faster: refused without being looked at. */
export const conflicts: RequestFault = {
  name: "conflict",
  appliesTo: ({ verb }) => conflicting.has(verb),
  inject: (call) => Promise.reject(conflict(call)),
};

/** The request was carried out, and the server says that it took too long. */
export const successfulTimeouts: RequestFault = {
  name: "timeout-that-succeeded",
  appliesTo: isWrite,
  async inject(_call, send, weather) {
    await send();
    await weather.pause(weather.duration(100, 30_000));
    throw timeout();
  },
};

/** The request was carried out, and nobody hears of it. */
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

/** The server has too much to do. */
export const overload: RequestFault = {
  name: "overload",
  appliesTo: () => true,
  inject: () =>
    Promise.reject(apiFailure(429, "TooManyRequests", "the server has received too many requests")),
};

/** The request, or its answer, takes its time. */
export const slowRequests: RequestFault = {
  name: "slow-request",
  appliesTo: () => true,
  async inject(_call, send, weather) {
    await weather.pause(weather.duration(1, 2000));
    const answer = await send();
    await weather.pause(weather.duration(1, 2000));
    return answer;
  },
};

/** All that may befall a request, one line each. */
export const requestFaults: readonly RequestFault[] = [
  conflicts,
  successfulTimeouts,
  lostResponses,
  lostRequests,
  overload,
  slowRequests,
];
