import type { Container, ContainerPort, EnvVar, PodSpec } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { placementWarnings } from "./placement-warnings.ts";

const lists = ["initContainers", "containers"] as const;

/** What is valid in a Pod's spec and probably a mistake, such as variables and ports that are defined twice. */
export function podSpecWarnings(spec: Sent<PodSpec> = {}, path: string): readonly string[] {
  const containers = lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, at: `${path}.${list}[${index}]` })),
  );
  const ports = containers.flatMap(({ container, at }) =>
    (container.ports ?? []).map((port, index) => ({ port, at: `${at}.ports[${index}]` })),
  );
  const grace = spec.terminationGracePeriodSeconds ?? 0;
  return [
    ...placementWarnings(spec, path),
    ...duplicates(spec.hostAliases, "ip", `${path}.hostAliases`),
    ...duplicates(spec.imagePullSecrets, "name", `${path}.imagePullSecrets`),
    ...namelessSecrets(spec, path),
    ...containers.flatMap(({ container, at }) => envWarnings(container, at)),
    ...ports.flatMap((each, index) => portWarnings(each, ports.slice(0, index))),
    ...(grace < 0 ? [`${path}.terminationGracePeriodSeconds: ${negativeGrace}`] : []),
  ];
}

const negativeGrace = "must be >= 0; negative values are invalid and will be treated as 1";

/** Items of a list that should have a value each. */
function duplicates<Key extends string>(
  items: readonly Readonly<Partial<Record<Key, string>>>[] | undefined,
  key: Key,
  path: string,
): readonly string[] {
  const seen = new Set<string>();
  return (items ?? []).flatMap((item, index) => {
    const value = item[key] ?? "";
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [`${path}[${index}].${key}: duplicate ${key} ${JSON.stringify(value)}`] : [];
  });
}

const namelessSecrets = ({ imagePullSecrets = [] }: Sent<PodSpec>, path: string) =>
  imagePullSecrets.flatMap(({ name = "" }, index) =>
    name === "" ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  );

function envWarnings({ env = [] }: Sent<Container>, path: string): readonly string[] {
  const seen = new Set<string | undefined>();
  return env.flatMap((variable, index) => {
    const { name = "" } = variable;
    const isHidden = seen.has(name) && !extendsPrevious(variable);
    seen.add(name);
    const effect = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return isHidden ? [`${path}.env[${index}]: ${effect}`] : [];
  });
}

/** Whether a variable adds to its previous definition: `$(PATH):/more`. */
function extendsPrevious({ name = "", value = "", valueFrom }: Sent<EnvVar>): boolean {
  const reference = `$(${name})`;
  return valueFrom === undefined && value !== reference && value.includes(reference);
}

interface PlacedPort {
  readonly port: Sent<ContainerPort>;
  readonly at: string;
}

function portWarnings({ port, at }: PlacedPort, earlier: readonly PlacedPort[]): readonly string[] {
  return earlier.flatMap((other) => {
    const isSamePort =
      port.containerPort === other.port.containerPort && port.protocol === other.port.protocol;
    const problem = isSamePort ? overlapOf(port, other.port) : undefined;
    return problem === undefined ? [] : [`${at}: ${problem} port definition with ${other.at}`];
  });
}

function overlapOf(port: Sent<ContainerPort>, other: Sent<ContainerPort>): string | undefined {
  const [one, two] = [hostOf(port), hostOf(other)];
  if (one.ip === two.ip && one.port === two.port) return "duplicate";
  if (one.port === 0 || two.port === 0) return "overlapping";
  const isAmbiguous = one.port === two.port && (one.ip === "") !== (two.ip === "");
  return isAmbiguous ? "dangerously ambiguous" : undefined;
}

const hostOf = ({ hostIP = "", hostPort = 0 }: Sent<ContainerPort>) => ({ ip: hostIP, port: hostPort });
