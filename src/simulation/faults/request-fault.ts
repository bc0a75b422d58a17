import type { Call, Interceptor } from "./intercept.ts";
import type { Weather } from "./weather.ts";

/** Something that may befall a request. */
export interface RequestFault {
  readonly name: string;
  readonly befalls: (call: Call) => boolean;
  /** What becomes of the request. */
  readonly strike: <T>(call: Call, send: () => Promise<T>, weather: Weather) => Promise<T>;
}

/** Faults between a part and the API: at most one strikes a request. */
export function besieged(faults: readonly RequestFault[], weather: Weather, part: string): Interceptor {
  return {
    call(call, send) {
      const fault = faults.find(
        ({ name, befalls }) => befalls(call) && weather.strikes(name, () => ({ part, ...inBrief(call) })),
      );
      return fault === undefined ? send() : fault.strike(call, send, weather);
    },
  };
}

/** A call without what it carries. */
export function inBrief({ verb, collection, namespace, name, subresource }: Call) {
  const where = namespace === undefined ? name : `${namespace}/${name ?? ""}`;
  return {
    verb,
    collection,
    ...(where !== undefined && { name: where }),
    ...(subresource !== undefined && { subresource }),
  };
}
