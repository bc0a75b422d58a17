import { findCondition } from "../../../api/conditions.ts";
import type { Container, ContainerStatus, Pod } from "../../../api/generated/core-v1.ts";
import { isHugePages } from "../../../api/kinds/pod-spec/validation/resources.ts";
import { parseQuantity, type Quantity, zero } from "../../../api/quantity/quantity.ts";
import { type Amounts, amountsOf, largerOf, type Quantities, quantitiesOf, sumOf } from "./amounts.ts";
import { itemsOf } from "./reading.ts";

/** How a Pod's request is to be counted. */
interface RequestOptions {
  /** What a container counts for that does not say; an explicit 0 is said. */
  readonly unsaid?: Quantities;
  /** Leaves out what the Pod asks for as a whole. */
  readonly containersOnly?: boolean;
}

/** What containers without a word on CPU or memory are taken to need when nodes are compared. */
const usualNeed: Quantities = new Map([
  ["cpu", parseQuantity("100m") ?? zero],
  ["memory", parseQuantity("200Mi") ?? zero],
]);

/** What a Pod takes up on its node. */
export function podRequest(pod: Pod): Amounts {
  return amountsOf(requestOf(pod, {}));
}

/** The same with something for containers that do not say, so that they count when nodes are compared. */
export function nonZeroRequest(pod: Pod): Amounts {
  if (podLevelRequest(pod).size === 0) return amountsOf(requestOf(pod, { unsaid: usualNeed }));
  // upstream: a Pod that speaks for itself is taken at its word, but for what neither it nor a container mentions
  const said = requestOf(pod, {});
  const unsaid = new Map([...usualNeed].filter(([name]) => !said.has(name)));
  return amountsOf(requestOf(pod, { unsaid }));
}

/** The same of its containers alone: upstream's scorer never learnt of requests of whole Pods (scheduler.md 8.22). */
export function nonZeroContainerRequest(pod: Pod): Amounts {
  return amountsOf(requestOf(pod, { unsaid: usualNeed, containersOnly: true }));
}

function requestOf(pod: Pod, options: RequestOptions): Quantities {
  const own = options.containersOnly === true ? none : podLevelRequest(pod);
  const said = new Map([...containersRequest(pod, options.unsaid ?? none), ...own]);
  return sumOf(said, quantitiesOf(pod.spec?.overhead));
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
    const together = sumOf(sidecars, requestOfOne(container));
    if (isSidecar(container)) sidecars = together;
    starting = largerOf(starting, together);
  }
  const running = itemsOf(pod.spec?.containers).map(requestOfOne).reduce(sumOf, sidecars);
  return largerOf(running, starting);
}

/** Whether an init container keeps running beside the regular ones. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === "Always";
}

/** While a container is resized it may hold more than it asks for, or never get what it asks for. */
function containerRequest(
  container: Container,
  status: ContainerStatus | undefined,
  infeasible: boolean,
): Quantities {
  const wanted = quantitiesOf(container.resources?.requests);
  if (status?.resources === undefined || status.resources === null) return wanted;
  const held = largerOf(quantitiesOf(status.resources.requests), quantitiesOf(status.allocatedResources));
  return infeasible ? held : largerOf(wanted, held);
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
