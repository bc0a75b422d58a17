import { readFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { packageFolder } from "../installed-package.ts";

/** What can be installed: the stock controllers steered, or replaced; a second scheduler. */
export const installable = ["steer", "controllers", "scheduler"] as const;

export interface InstallSettings {
  readonly program: (typeof installable)[number];
  readonly image: string;
  readonly namespace: string;
  /** The hosts and networks of pod pickers; none: they are not asked. */
  readonly pickers: readonly string[];
}

/** The fields of the manifests in deploy/ that are changed here. */
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly { readonly namespace: string }[];
  readonly spec?: { readonly template?: { readonly spec: { readonly containers: readonly Container[] } } };
}

interface Container {
  readonly image: string;
  readonly args: readonly string[];
}

const files = {
  steer: ["steer/steer.yaml", "steer/cluster-role.yaml", "cluster-role.yaml"],
  controllers: ["controllers.yaml", "cluster-role.yaml"],
  scheduler: ["scheduler/scheduler.yaml", "scheduler/cluster-role.yaml", "cluster-role.yaml"],
};

/** The manifests of deploy/ for these settings, in the order they are applied. The chart renders the same: a test says so. */
export function installManifests(settings: InstallSettings): string {
  const manifests = files[settings.program].flatMap(manifestsIn).filter((each) => isNeeded(each, settings));
  const all = settings.pickers.length === 0 ? manifests : [...manifests, pickerBinding(settings)];
  return all.map((manifest) => stringify(adapted(manifest, settings), { lineWidth: 0 })).join("---\n");
}

function manifestsIn(file: string): readonly Manifest[] {
  const text = readFileSync(path.join(packageFolder(), "deploy", file), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

const isNeeded = ({ metadata: { name } }: Manifest, { program, pickers }: InstallSettings): boolean =>
  name === "trimtab-pod-pickers"
    ? pickers.length > 0
    : program === "controllers" || name !== "trimtab-controllers";

function pickerBinding({
  program,
  namespace,
}: InstallSettings): Manifest & Readonly<Record<string, unknown>> {
  const name = "trimtab-pod-pickers";
  return {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ kind: "ServiceAccount", name: `trimtab-${program}`, namespace }] as never,
  };
}

function adapted(manifest: Manifest, settings: InstallSettings): Manifest {
  const { namespace } = settings;
  const { metadata, subjects, spec } = manifest;
  return {
    ...manifest,
    metadata: {
      ...metadata,
      ...(manifest.kind === "Namespace" && { name: namespace }),
      ...(metadata.namespace !== undefined && { namespace }),
    },
    ...(subjects !== undefined && { subjects: subjects.map((subject) => ({ ...subject, namespace })) }),
    ...(spec?.template !== undefined && {
      spec: { ...spec, template: { ...spec.template, spec: withContainer(spec.template.spec, settings) } },
    }),
  };
}

function withContainer<T extends { readonly containers: readonly Container[] }>(
  spec: T,
  { image, pickers }: InstallSettings,
): T {
  const flags = pickers.map((host) => `--picker-allow=${host}`);
  const more = pickers.length === 0 ? [] : ["--feature-gates=DownscalePodPicker=true", ...flags];
  const containers = spec.containers.map((container) => ({
    ...container,
    image,
    args: [...container.args, ...more],
  }));
  return { ...spec, containers };
}
