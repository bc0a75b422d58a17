import { type FieldError, invalid } from "../../../../api/field-error.ts";
import type { ServicePort } from "../../../../api/generated/core-v1.ts";
import { randomInt } from "../../../../machinery/random/random.ts";
import type { Allocation } from "./allocation.ts";

const lowest = 30_000;
const highest = 32_767;
const count = highest - lowest + 1;

/** The node port a port of a Service is to have; `path` is that of the port. */
export function allocateNodePort(
  { port, protocol, nodePort }: ServicePort,
  path: string,
  allocation: Allocation,
): number | FieldError {
  const before = allocation.before?.ports ?? [];
  const own = before.find((other) => other.port === port && other.protocol === protocol)?.nodePort;
  const wanted = nodePort ?? own;
  if (wanted === undefined) return freePort(path, allocation);
  if (before.some((other) => other.nodePort === wanted)) return wanted;
  const no = (why: string) => invalid(`${path}.nodePort`, wanted, why);
  if (wanted < lowest || wanted > highest)
    return no(`provided port is not in the valid range. The range of valid ports is ${lowest}-${highest}`);
  return allocation.isPortFree(wanted) ? wanted : no("provided port is already allocated");
}

function freePort(path: string, { random, isPortFree }: Allocation): number | FieldError {
  const start = randomInt(random, count);
  for (let step = 0; step < count; step++) {
    const port = lowest + ((start + step) % count);
    if (isPortFree(port)) return port;
  }
  return invalid(`${path}.nodePort`, 0, "failed to allocate a nodePort: range is full");
}
