import { type FieldError, invalid } from "../../../../api/field-error.ts";
import type { Service, ServiceSpec } from "../../../../api/generated/core-v1.ts";
import { randomInt } from "../../../../machinery/random/random.ts";
import type { Allocation } from "./allocation.ts";
import { addressAt, addressCount, firstAddress, isServiceAddress } from "./service-network.ts";

/** The address a Service is to have; the empty one when it needs none. */
export function allocateAddress({ metadata, spec }: Service, allocation: Allocation): string | FieldError {
  if (spec.type === "ExternalName") return "";
  const own = allocation.before?.clusterIP ?? "";
  const wanted = wantedAddress(spec) || own;
  if (wanted !== "") return wanted === own || wanted === "None" ? wanted : claim(wanted, allocation);
  if (metadata.namespace === "default" && metadata.name === "kubernetes") return firstAddress;
  return freeAddress(allocation);
}

function wantedAddress({ clusterIP, clusterIPs }: ServiceSpec): string {
  return clusterIP ?? clusterIPs?.[0] ?? "";
}

function claim(address: string, { isAddressFree }: Allocation): string | FieldError {
  const no = (why: string) =>
    invalid("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${why}`);
  if (!isServiceAddress(address)) return no("the provided IP is not in the valid range");
  return isAddressFree(address) ? address : no("provided IP is already allocated");
}

function freeAddress({ random, isAddressFree }: Allocation): string | FieldError {
  const start = randomInt(random, addressCount);
  for (let step = 0; step < addressCount; step++) {
    const address = addressAt((start + step) % addressCount);
    if (address !== firstAddress && isAddressFree(address)) return address;
  }
  return invalid("spec.clusterIP", "", "failed to allocate an IP: the range is full");
}
