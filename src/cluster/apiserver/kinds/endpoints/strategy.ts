import { invalid, required } from "../../../../api/field-error.ts";
import type {
  EndpointAddress,
  EndpointPort,
  Endpoints,
  EndpointSubset,
} from "../../../../api/generated/core-v1.ts";
import { ipProblems, unreachableProblems } from "../../../../api/ip-address.ts";
import { dns1123LabelProblems, dns1123SubdomainProblems } from "../../../../api/names.ts";
import {
  each,
  type FieldErrors,
  none,
  portNumber,
  requiredText,
  requiredOneOf,
  wellFormed,
} from "../../../../api/field-checks.ts";
import { eachItem, fillEmpty, mapMembers } from "../../../../api/defaulting.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { validateLabelKey } from "../../../../api/labels/validate-selector.ts";
import { equalField } from "../../../../api/schema/semantic-equality.ts";
import type { Sent } from "../../../../api/sent.ts";

/** The strategy of Endpoints. */
export const endpointsStrategy: KindStrategy<Sent<Endpoints>> = {
  defaults(object) {
    return mapMembers(object, {
      subsets: eachItem((subset) =>
        mapMembers(subset, { ports: eachItem((port) => fillEmpty(port, { protocol: "TCP" })) }),
      ),
    });
  },
  validate(object, _context, stored) {
    if (stored !== undefined && equalField("core.v1.Endpoints", [object, stored], "subsets")) return none;
    return each(object.subsets, "subsets", validateSubset);
  },
  unconditionalUpdate: true,
  createOnUpdate: true,
};

function validateSubset(subset: Sent<EndpointSubset>, path: string): FieldErrors {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  const isEmpty = addresses.length === 0 && notReadyAddresses.length === 0;
  return [
    ...(isEmpty ? [required(path, "must specify `addresses` or `notReadyAddresses`")] : none),
    ...each(addresses, `${path}.addresses`, validateAddress),
    ...each(notReadyAddresses, `${path}.notReadyAddresses`, validateAddress),
    ...each(ports, `${path}.ports`, (port, at) => [
      ...(ports.length > 1 ? requiredText(port.name, `${at}.name`) : none),
      ...validatePort(port, at),
    ]),
  ];
}

function validateAddress({ ip = "", hostname, nodeName }: Sent<EndpointAddress>, path: string): FieldErrors {
  const problems = ipProblems(ip);
  const found = problems.length > 0 ? problems : unreachableProblems(ip);
  return [
    ...found.map((problem) => invalid(`${path}.ip`, ip, problem)),
    ...wellFormed(hostname, `${path}.hostname`, dns1123LabelProblems),
    ...wellFormed(nodeName, `${path}.nodeName`, dns1123SubdomainProblems),
  ];
}

function validatePort({ name, port, protocol, appProtocol }: Sent<EndpointPort>, path: string): FieldErrors {
  return [
    ...wellFormed(name, `${path}.name`, dns1123LabelProblems),
    ...portNumber(port, `${path}.port`),
    ...requiredOneOf(protocol, `${path}.protocol`, ["SCTP", "TCP", "UDP"]),
    ...(appProtocol === undefined ? none : validateLabelKey(appProtocol, `${path}.appProtocol`)),
  ];
}
