import type { ContainerPort } from "../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../api/sent.ts";
import type { PlacedContainer } from "./container-warnings.ts";

interface PlacedPort {
  readonly port: Sent<ContainerPort>;
  readonly at: string;
}

/** Limits the compared pairs of ports with the same number, since no other request is served meanwhile. */
const mostPairs = 20_000;

/** Warns of ports that several containers, or one of them twice, define or name. */
export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const ports = containers.flatMap(({ container, at }) =>
    (container.ports ?? []).map((port, index) => ({ port, at: `${at}.ports[${index}]` })),
  );
  return [...ports.flatMap(strayHostIp), ...repeatedNumbers(ports), ...repeatedNames(ports)];
}

function strayHostIp({ port, at }: PlacedPort): readonly string[] {
  const { name = "", containerPort = 0, protocol = "" } = port;
  const { ip, port: hostPort } = hostOf(port);
  if (ip === "" || hostPort !== 0) return [];
  // kube-apiserver prints the port as Go prints structs.
  const fields = `Name:${name} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${ip}`;
  return [`${at}: hostIP set without hostPort: {${fields}}`];
}

function repeatedNumbers(ports: readonly PlacedPort[]): readonly string[] {
  const byNumber = new Map<string, PlacedPort[]>();
  let left = mostPairs;
  return ports.flatMap((placed) => {
    const { port, at } = placed;
    const number = `${port.containerPort}/${port.protocol}`;
    const earlier = byNumber.get(number) ?? [];
    byNumber.set(number, earlier);
    const compared = earlier.slice(0, left);
    left -= compared.length;
    earlier.push(placed);
    return compared.flatMap((other) => {
      const problem = overlapOf(port, other.port);
      return problem === undefined ? [] : [`${at}: ${problem} port definition with ${other.at}`];
    });
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

/** Warns of port names that several containers have; within one container they are refused. */
function repeatedNames(ports: readonly PlacedPort[]): readonly string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ port: { name = "" }, at }) => {
    if (name === "") return [];
    const other = first.get(name);
    if (other === undefined) first.set(name, at);
    const effect = `services and probes that select ports by name will use ${other}`;
    return other === undefined
      ? []
      : [`${at}: duplicate port name ${JSON.stringify(name)} with ${other}, ${effect}`];
  });
}
