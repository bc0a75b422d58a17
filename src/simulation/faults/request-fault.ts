import type { ClientCall, Interceptor } from "../../machinery/client/intercept-client.ts";
import type { FaultSchedule } from "./fault-schedule.ts";

/** Something that may befall a request. */
export interface RequestFault {
  readonly name: string;
  readonly appliesTo: (call: ClientCall) => boolean;
  /** What becomes of the request. */
  readonly inject: <T>(call: ClientCall, send: () => Promise<T>, weather: FaultSchedule) => Promise<T>;
}

/** Faults between a part and the API: at most one strikes a request. */
export function injectRequestFaults(
  faults: readonly RequestFault[],
  weather: FaultSchedule,
  part: string,
): Interceptor {
  return {
    call(call, send) {
      const fault = faults.find(
        ({ name, appliesTo }) =>
          appliesTo(call) && weather.occurs(name, () => ({ part, ...callFields(call) })),
      );
      return fault === undefined ? send() : fault.inject(call, send, weather);
    },
  };
}

/** A call without what it carries. */
export function callFields({ verb, collection, namespace, name, subresource }: ClientCall) {
  const where = namespace === undefined ? name : `${namespace}/${name ?? ""}`;
  return {
    verb,
    collection,
    ...(where !== undefined && { name: where }),
    ...(subresource !== undefined && { subresource }),
  };
}
