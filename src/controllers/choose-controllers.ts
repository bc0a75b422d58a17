/** The controllers of `trimtab controllers` by the names that `kube-controller-manager --controllers` gives them. */
const components: Readonly<Record<string, string>> = {
  "deployment-controller": "deployment",
  "replicaset-controller": "replicaset",
  "replicationcontroller-controller": "replicationmanager",
  "statefulset-controller": "statefulset",
  "daemonset-controller": "daemonset",
};

/** The controllers that run only when they are named. */
const optional: ReadonlySet<string> = new Set(["statefulset-controller", "daemonset-controller"]);

export const controllerNames: readonly string[] = Object.keys(components);
export const optionalControllerNames: readonly string[] = controllerNames.filter((name) =>
  optional.has(name),
);

/** Which controllers run. */
export type ChosenControllers =
  | {
      readonly ok: true;
      /** As kube-controller-manager calls them. */
      readonly names: readonly string[];
      readonly components: ReadonlySet<string>;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Reads `*,statefulset-controller,-replicaset-controller` as kube-controller-manager does: `*` is every controller that is
 * on by default, a name is that one, and a name after a dash is not that one. What names a controller outweighs `*`.
 */
export function chooseControllers(text: string): ChosenControllers {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  const unknown = words.filter((word) => word !== "*" && !controllerNames.includes(word.replace(/^-/, "")));
  if (unknown.length > 0) {
    return { ok: false, problems: unknown.map((word) => `--controllers: ${problemOf(word)}`) };
  }
  const given = new Set(words);
  const names = controllerNames.filter((name) => {
    if (given.has(name)) return true;
    return given.has("*") && !given.has(`-${name}`) && !optional.has(name);
  });
  if (names.length === 0) return { ok: false, problems: ["--controllers leaves no controller to run"] };
  return { ok: true, names, components: new Set(names.map((name) => components[name] ?? name)) };
}

const problemOf = (word: string) =>
  `${JSON.stringify(word)} is not a controller that Trimtab has: ${controllerNames.join(", ")}`;
