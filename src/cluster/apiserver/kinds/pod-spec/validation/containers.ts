import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
  tooMany,
} from "../../../../../api/field-error.ts";
import type {
  Container,
  ContainerRestartRule,
  EphemeralContainer,
} from "../../../../../api/generated/core-v1.ts";
import { dns1123LabelProblems } from "../../../../../api/names.ts";
import {
  each,
  type FieldErrors,
  none,
  requiredOneOf,
  requiredText,
  supported,
} from "../../../../../api/field-checks.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { validateContainerPorts, validateHostPortConflicts } from "./container-ports.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateLifecycle, validateProbe } from "./handlers.ts";
import { validateResizePolicy, validateResources } from "./resources.ts";
import { validateSecurityContext } from "./security-context.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./volume-mounts.ts";
import type { Volumes } from "./volumes.ts";

/** The parts of a Pod that the validation of its containers reads. */
export interface PodContext {
  readonly volumes: Volumes;
  readonly claimNames: ReadonlySet<string>;
  readonly restartPolicy: string;
  readonly gracePeriodSeconds: number | undefined;
}

type Containers = readonly Sent<Container>[] | undefined;

/** Validates the containers of a Pod. */
export function validateContainers(containers: Containers, path: string, pod: PodContext): FieldErrors {
  if (containers === undefined || containers.length === 0) return [required(path)];
  const names = new Set<string>();
  return [
    ...each(containers, path, (container, at) => [
      ...validateContainer(container, at, pod),
      ...unusedName(container.name ?? "", `${at}.name`, names),
      ...validateRunning(container, at, pod),
      ...validateRestartRules(container, at),
    ]),
    ...validateHostPortConflicts(containers, path),
  ];
}

/** Validates init containers; one with restart policy Always is a sidecar and may have everything a container may have. */
export function validateInitContainers(
  { initContainers, containers }: { readonly initContainers: Containers; readonly containers: Containers },
  path: string,
  pod: PodContext,
): FieldErrors {
  const names = new Set(containers?.map(({ name = "" }) => name));
  return each(initContainers, path, (container, at) => [
    ...validateContainer(container, at, pod),
    ...validateRestartRules(container, at),
    ...unusedName(container.name ?? "", `${at}.name`, names),
    ...validateHostPortConflicts([container], path),
    ...(container.restartPolicy === "Always"
      ? validateRunning(container, at, pod)
      : validateNotRunning(container, at)),
  ]);
}

function unusedName(name: string, path: string, taken: Set<string>): FieldErrors {
  if (taken.has(name)) return [duplicate(path, name)];
  if (name !== "") taken.add(name);
  return none;
}

function validateRunning(container: Sent<Container>, path: string, pod: PodContext): FieldErrors {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...(lifecycle === undefined
      ? none
      : validateLifecycle(lifecycle, `${path}.lifecycle`, pod.gracePeriodSeconds)),
    ...validateProbe(livenessProbe, "livenessProbe", path),
    ...validateProbe(readinessProbe, "readinessProbe", path),
    ...validateProbe(startupProbe, "startupProbe", path),
  ];
}

function validateNotRunning(container: Sent<Container>, path: string): FieldErrors {
  const members = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const;
  return members
    .filter((member) => container[member] !== undefined)
    .map((member) =>
      forbidden(`${path}.${member}`, "may not be set for init containers without restartPolicy=Always"),
    );
}

const ephemeralMembers: ReadonlySet<string> = new Set([
  "name",
  "image",
  "command",
  "args",
  "workingDir",
  "envFrom",
  "env",
  "volumeMounts",
  "volumeDevices",
  "terminationMessagePath",
  "terminationMessagePolicy",
  "imagePullPolicy",
  "securityContext",
  "stdin",
  "stdinOnce",
  "tty",
  "resources",
  "targetContainerName",
]);

/** Validates ephemeral containers, which have no probes, ports or resources. */
export function validateEphemeralContainers(
  containers: readonly Sent<EphemeralContainer>[] | undefined,
  path: string,
  { others, pod }: { readonly others: ReadonlySet<string>; readonly pod: PodContext },
): FieldErrors {
  const names = new Set(others);
  return each(containers, path, (container, at) => {
    const { name = "", targetContainerName: target = "" } = container;
    return [
      ...validateContainer(container, at, pod),
      ...validateTrimmedImage(container, at),
      ...unusedName(name, `${at}.name`, names),
      ...(target === "" || others.has(target) ? none : [notFound(`${at}.targetContainerName`, target)]),
      ...Object.keys(container)
        .filter(
          (member) => !ephemeralMembers.has(member) || (member === "resources" && hasResources(container)),
        )
        .map((member) => forbidden(`${at}.${member}`, "cannot be set for an Ephemeral Container")),
    ];
  });
}

const hasResources = ({ resources = {} }: Sent<EphemeralContainer>) => Object.keys(resources).length > 0;

/** Validates that the image has no surrounding blanks; templates are not checked, since stored ones may have them. */
export function validateTrimmedImage({ image = "" }: Sent<Container>, path: string): FieldErrors {
  if (image.trim() === image) return none;
  return [invalid(`${path}.image`, image, "must not have leading or trailing whitespace")];
}

function validateContainer(container: Sent<Container>, path: string, pod: PodContext): FieldErrors {
  return [
    ...requiredText(container.name, `${path}.name`, dns1123LabelProblems),
    ...requiredText(container.image, `${path}.image`),
    ...requiredOneOf(container.terminationMessagePolicy, `${path}.terminationMessagePolicy`, [
      "File",
      "FallbackToLogsOnError",
    ]),
    ...validateContainerPorts(container.ports, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...validateVolumeMounts(container, path, pod.volumes),
    ...validateVolumeDevices(container, path, pod.volumes),
    ...requiredOneOf(container.imagePullPolicy, `${path}.imagePullPolicy`, [
      "Always",
      "IfNotPresent",
      "Never",
    ]),
    ...validateResources(container.resources, `${path}.resources`, pod.claimNames),
    ...validateResizePolicy(container, `${path}.resizePolicy`, pod.restartPolicy),
    ...validateSecurityContext(container.securityContext, `${path}.securityContext`),
  ];
}

const maxRules = 20;
const maxExitCodes = 255;

/** Validates the restart rules of a container. */
function validateRestartRules(
  { restartPolicy, restartPolicyRules }: Sent<Container>,
  path: string,
): FieldErrors {
  const rules = restartPolicyRules ?? [];
  const missing = restartPolicy === undefined && rules.length > 0;
  const at = `${path}.restartPolicyRules`;
  return [
    ...(missing
      ? [required(`${path}.restartPolicy`, "must specify restartPolicy when restart rules are used")]
      : none),
    ...supported(restartPolicy, `${path}.restartPolicy`, ["Always", "Never", "OnFailure"]),
    ...(rules.length > maxRules ? [tooMany(at, rules.length, maxRules)] : none),
    ...each(rules, at, validateRule),
  ];
}

function validateRule({ action = "", exitCodes }: Sent<ContainerRestartRule>, path: string): FieldErrors {
  const known = supported(action, `${path}.action`, ["Restart", "RestartAllContainers"]);
  if (exitCodes === undefined) return [...known, required(`${path}.exitCodes`, "must be specified")];
  const { operator = "", values = [] } = exitCodes;
  const crowded = values.length > maxExitCodes;
  return [
    ...known,
    ...supported(operator, `${path}.exitCodes.operator`, ["In", "NotIn"]),
    ...(crowded ? [tooMany(`${path}.exitCodes.values`, values.length, maxExitCodes)] : none),
  ];
}
