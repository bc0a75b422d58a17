import type { Container, Pod } from "../../../../../api/generated/core-v1.ts";
import { statusOf } from "../../../../kubelet/lifecycle/container-state.ts";
import { badRequest } from "../../../status-errors.ts";

/** Returns the named container, or the only one; throws 400 when there is none. */
export function logContainerOf({ metadata, spec }: Pod, wanted: string | undefined): Container {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec;
  const [only] = containers;
  if (wanted === undefined && containers.length === 1 && only !== undefined) return only;
  if (wanted === undefined) {
    const others =
      initContainers.length === 0 ? "" : ` or one of the init containers: [${namesOf(initContainers)}]`;
    const choice = `choose one of: [${namesOf(containers)}]${others}`;
    throw badRequest(`a container name must be specified for pod ${metadata.name}, ${choice}`);
  }
  const named = [...containers, ...initContainers, ...ephemeralContainers].find(
    ({ name }) => name === wanted,
  );
  if (named === undefined) throw badRequest(`container ${wanted} is not valid for pod ${metadata.name}`);
  return named;
}

const namesOf = (containers: readonly Container[]) => containers.map(({ name }) => name).join(" ");

/** The messages for containers that wait because of their image. */
const imageProblems: ReadonlyMap<string, string> = new Map([
  ["ErrImagePull", "image can't be pulled"],
  ["ImagePullBackOff", "trying and failing to pull image"],
]);

/** Returns why a container of an assigned Pod has no log: it, or its previous run, has not started. */
export function whyNoLog(pod: Pod, { name }: Container, previous: boolean) {
  const which = `container ${JSON.stringify(name)} in pod ${JSON.stringify(pod.metadata.name)}`;
  if (previous) return badRequest(`previous terminated ${which} not found`);
  const { reason = "" } = statusOf(pod, { name })?.state?.waiting ?? {};
  if (reason === "") return badRequest(`${which} is not available`);
  return badRequest(`${which} is waiting to start: ${imageProblems.get(reason) ?? reason}`);
}
