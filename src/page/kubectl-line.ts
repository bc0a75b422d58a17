import type { PageAction } from "./contract.ts";

/** The annotation that lets a simulated kubelet fall silent. */
export const unreachableAnnotation = "sim.trimtab.dev/unreachable";
/** The label that says in which zone a node is. */
export const zoneLabel = "topology.kubernetes.io/zone";

/** The line of kubectl that does the same as an action; safe to paste into a shell whatever the names are. */
export function kubectlLine(action: PageAction): string {
  return `kubectl ${wordsOf(action).map(shellWord).join(" ")}`;
}

function wordsOf(action: PageAction): readonly string[] {
  switch (action.action) {
    case "scale":
      return ["scale", target(action), ...inNamespace(action), `--replicas=${action.replicas}`];
    case "restart-rollout":
      return ["rollout", "restart", target(action), ...inNamespace(action)];
    case "cordon":
    case "uncordon":
      return [action.action, action.node];
    case "drain":
      return ["drain", action.node, "--ignore-daemonsets", "--delete-emptydir-data", "--force"];
    case "fail-node":
    case "restore-node":
      return ["annotate", "node", action.node, ...annotation(action.action === "fail-node")];
    case "fail-zone":
    case "restore-zone": {
      const nodes = ["nodes", "-l", `${zoneLabel}=${action.zone}`];
      return ["annotate", ...nodes, ...annotation(action.action === "fail-zone")];
    }
  }
}

const target = ({ kind, name }: { readonly kind: string; readonly name: string }) =>
  `${kind.toLowerCase()}/${name}`;

const inNamespace = ({ namespace }: { readonly namespace: string }) => ["-n", namespace];

const annotation = (fails: boolean) =>
  fails ? [`${unreachableAnnotation}=true`, "--overwrite"] : [`${unreachableAnnotation}-`];

/** A word as a POSIX shell reads it back. */
function shellWord(word: string): string {
  return /^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
