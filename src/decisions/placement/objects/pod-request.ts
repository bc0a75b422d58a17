import { findCondition } from "../../../api/conditions.ts";
import type { Container, ContainerStatus, Pod } from "../../../api/generated/core-v1.ts";
import { isHugePages } from "../../../api/resource-names.ts";
import { parseQuantity, type Quantity, zero } from "../../../api/quantity/quantity.ts";
import {
  type ResourceAmounts,
  amountsOf,
  largerQuantities,
  type Quantities,
  quantitiesOf,
  sumOfQuantities,
} from "./amounts.ts";
import { itemsOf } from "./reading.ts";

/** How a Pod's request is computed. */
interface RequestOptions {
  /** The defaults for containers without a request; an explicit 0 is a request. */
  readonly unsaid?: Quantities;
  /** Leaves out the resources of the Pod as a whole. */
  readonly containersOnly?: boolean;
}

/** The request of containers without one when nodes are scored (upstream: GetNonzeroRequests). */
const usualNeed: Quantities = new Map([
  ["cpu", parseQuantity("100m") ?? zero],
  ["memory", parseQuantity("200Mi") ?? zero],
]);

/** The resources a Pod takes up on its node. */
export function podRequest(pod: Pod): ResourceAmounts {
  return amountsOf(requestOf(pod, {}));
}

/** The request with defaults for containers without one, so that these count when nodes are scored. */
export function nonZeroRequest(pod: Pod): ResourceAmounts {
  if (podLevelRequest(pod).size === 0) return amountsOf(requestOf(pod, { unsaid: usualNeed }));
  // upstream: defaults do not add to a request of the Pod as a whole, except where neither it nor a container has one
  const said = requestOf(pod, {});
  const unsaid = new Map([...usualNeed].filter(([name]) => !said.has(name)));
  return amountsOf(requestOf(pod, { unsaid }));
}

/** Variant for the containers alone: upstream's scorer ignores requests of whole Pods. */
export function nonZeroContainerRequest(pod: Pod): ResourceAmounts {
  return amountsOf(requestOf(pod, { unsaid: usualNeed, containersOnly: true }));
}

function requestOf(pod: Pod, options: RequestOptions): Quantities {
  const own = options.containersOnly === true ? none : podLevelRequest(pod);
  const said = new Map([...containersRequest(pod, options.unsaid ?? none), ...own]);
  return sumOfQuantities(said, quantitiesOf(pod.spec?.overhead));
}

const none: Quantities = new Map();

/** Sidecars run beside everything after them; other init containers run alone, one after the other, and end. */
function containersRequest(pod: Pod, unsaid: Quantities): Quantities {
  const statuses = [...itemsOf(pod.status?.containerStatuses), ...itemsOf(pod.status?.initContainerStatuses)];
  const requestOfOne = (container: Container): Quantities => {
    const status = statuses.find(({ name }) => name === container.name);
    return new Map([...unsaid, ...containerRequest(container, status, isResizeInfeasible(pod))]);
  };
  let sidecars = none;
  let starting = none;
  for (const container of itemsOf(pod.spec?.initContainers)) {
    const together = sumOfQuantities(sidecars, requestOfOne(container));
    if (isSidecar(container)) sidecars = together;
    starting = largerQuantities(starting, together);
  }
  const running = itemsOf(pod.spec?.containers).map(requestOfOne).reduce(sumOfQuantities, sidecars);
  return largerQuantities(running, starting);
}

/** Whether an init container keeps running beside the regular ones. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}

/** During a resize a container may hold more than it requests; an infeasible resize never takes effect. */
function containerRequest(
  container: Container,
  status: ContainerStatus | undefined,
  infeasible: boolean,
): Quantities {
  const wanted = quantitiesOf(container.resources?.requests);
  if (status?.resources === undefined || status.resources === null) return wanted;
  const held = largerQuantities(
    quantitiesOf(status.resources.requests),
    quantitiesOf(status.allocatedResources),
  );
  return infeasible ? held : largerQuantities(wanted, held);
}

function isResizeInfeasible(pod: Pod): boolean {
  const pending = findCondition(itemsOf(pod.status?.conditions), "PodResizePending");
  return pending?.reason === "Infeasible";
}

function podLevelRequest(pod: Pod): Quantities {
  const isSupported = ([name]: readonly [string, Quantity]): boolean =>
    name === "cpu" || name === "memory" || isHugePages(name);
  return new Map([...quantitiesOf(pod.spec?.resources?.requests)].filter(isSupported));
}
