import {
  changesText,
  describeAction,
  namespaceSuffix,
  manifestName,
} from "../../user-actions/describe-action.ts";
import type { ActionDocument, ObjectsTarget } from "../scenario-files/scenario-document.ts";
import { changesOf, directAction } from "./event-actions.ts";

/** What an event does, as a phrase: `scale deployment/web to 3`. */
export function describeEvent(event: ActionDocument): string {
  const action = directAction(event);
  return action === undefined ? describeScenarioEvent(event) : describeAction(action);
}

/** What only scenarios do: several manifests, Pods chosen by a selector, loads, delays, gates. */
function describeScenarioEvent(event: ActionDocument): string {
  const { apply, label, annotate, load, slowTermination, featureGates } = event;
  if (apply !== undefined) return `apply ${apply.map(manifestName).join(", ")}`;
  if (event.delete !== undefined) return `delete ${selectedText(event.delete)}`;
  if (label !== undefined) return `label ${selectedText(label)}: ${changesText(changesOf(label.labels))}`;
  if (annotate !== undefined)
    return `annotate ${selectedText(annotate)}: ${changesText(changesOf(annotate.annotations))}`;
  if (load !== undefined)
    return `load on ${load.object}${namespaceSuffix(load.namespace)}: ${Object.keys(load.metrics).join(", ")}`;
  if (slowTermination !== undefined) {
    const { selector, namespace = "default", delay } = slowTermination;
    const which = selector === undefined ? "" : `of ${selector} `;
    return `Pods ${which}in namespace ${namespace} take ${delay} to end`;
  }
  const gates = Object.entries(featureGates ?? {}).map(([name, isOn]) => `${name}=${String(isOn)}`);
  return `feature gates: ${gates.join(", ")}`;
}

function selectedText({ selector, count, which, namespace }: ObjectsTarget): string {
  const some = [count, which].filter((part) => part !== undefined).join(" ");
  return `${some === "" ? "" : `${some} `}Pods of ${selector ?? "everything"}${namespaceSuffix(namespace)}`;
}
