import type { Container, PodSpec } from "../../generated/core-v1.ts";
import type { Sent } from "../sent.ts";

const lists = ["initContainers", "containers"] as const;

/** What is valid in a Pod's spec and probably a mistake: an environment variable that is defined twice. */
export function podSpecWarnings(spec: Sent<PodSpec> | undefined, path: string): readonly string[] {
  return lists.flatMap((list) =>
    (spec?.[list] ?? []).flatMap((container, index) => envWarnings(container, `${path}.${list}[${index}]`)),
  );
}

function envWarnings({ env = [] }: Sent<Container>, path: string): readonly string[] {
  const seen = new Set<string | undefined>();
  return env.flatMap(({ name }, index) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    const effect = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return isRepeated ? [`${path}.env[${index}]: ${effect}`] : [];
  });
}
