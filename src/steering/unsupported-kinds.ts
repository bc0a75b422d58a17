/** Kinds that cannot be steered, by their plural: their Pods go by an order of their own, which no deletion cost changes. */
export const unsupportedKinds: ReadonlyMap<string, string> = new Map([
  ["statefulsets", "StatefulSet"],
  ["daemonsets", "DaemonSet"],
]);
