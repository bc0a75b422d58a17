import type { Pod } from "../../../../../api/generated/core-v1.ts";
import { simulationPrefix } from "../../../../kubelet/behaviour/simulation-prefix.ts";
import { serviceUnavailable } from "../../../status-errors.ts";

/**
 * Returns the answer of a simulated Pod to a request: the text of its annotation, or its name where its container
 * serves its host name (upstream: agnhost serve-hostname). Throws 503 for other Pods, which serve nothing.
 */
export function simulatedAnswer({ metadata, spec }: Pod): string {
  const text = metadata.annotations?.[`${simulationPrefix}response`];
  if (text !== undefined) return text;
  const servesHostname = spec.containers.some(({ image = "", command = [], args = [] }) =>
    [image, ...command, ...args].some((word) => /serve[-_]hostname/.test(word)),
  );
  if (servesHostname) return metadata.name;
  throw serviceUnavailable(
    `pod ${metadata.namespace ?? ""}/${metadata.name} is simulated and serves nothing: its annotation ` +
      `${simulationPrefix}response can say what it answers, or ${simulationPrefix}endpoint (127.0.0.1:PORT) who does`,
  );
}
