import { base64Bytes } from "../../../../api/base64.ts";
import type { APIService, APIServiceSpec } from "../../../../api/generated/apiregistration-v1.ts";
import { fillAbsent, mapMembers } from "../../../../api/defaulting.ts";
import {
  each,
  type FieldErrors,
  none,
  portNumber,
  requiredText,
  supported,
} from "../../../../api/field-checks.ts";
import { type FieldError, invalid, required } from "../../../../api/field-error.ts";
import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  pathSegmentProblems,
} from "../../../../api/names.ts";
import type { Sent } from "../../../../api/sent.ts";
import { formatTime } from "../../../../api/time.ts";
import type { KindStrategy } from "../kind-strategy.ts";

type Spec = Sent<APIServiceSpec>;

/** The condition of an APIService whose objects this server has itself: it is there from the start. */
export const localCondition = {
  type: "Available",
  status: "True",
  reason: "Local",
  message: "Local APIServices are always available",
} as const;

/** The strategy of APIServices. */
export const apiServiceStrategy: KindStrategy<Sent<APIService>> = {
  nameProblems: pathSegmentProblems,
  defaults(object) {
    return mapMembers(fillAbsent(object, { spec: {} }), {
      spec: (spec) => mapMembers(spec, { service: (service) => fillAbsent(service, { port: 443 }) }),
    });
  },
  prepareForCreate(object, { now }) {
    if (object.spec?.service !== undefined) return object;
    return {
      ...object,
      status: { conditions: [{ ...localCondition, lastTransitionTime: formatTime(now) }] },
    };
  },
  validate({ metadata, spec = {} }) {
    return [
      ...validateName(metadata?.name ?? "", spec),
      ...validateGroupVersion(spec),
      ...validatePriority(spec.groupPriorityMinimum, "spec.groupPriorityMinimum", 20_000),
      ...validatePriority(spec.versionPriority, "spec.versionPriority", 1000),
      ...(spec.service === undefined ? validateLocal(spec) : validateRemote(spec)),
    ];
  },
  validateStatusUpdate({ next }) {
    return each(next.status?.conditions, "status.conditions", ({ status }, at) =>
      supported(status, `${at}.status`, ["False", "True", "Unknown"]),
    );
  },
};

function validateName(name: string, { group = "", version = "" }: Spec): FieldErrors {
  const wanted = `${version}.${group}`;
  if (name === wanted || pathSegmentProblems(name).length > 0) return none;
  const rule = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(wanted)}`;
  return [invalid("metadata.name", name, rule)];
}

function validateGroupVersion({ group = "", version = "" }: Spec): FieldErrors {
  const ofGroup: readonly FieldError[] =
    group === ""
      ? missingGroup(version)
      : dns1123SubdomainProblems(group).map((problem) => invalid("spec.group", group, problem));
  const ofVersion = dns1035LabelProblems(version).map((problem) => invalid("spec.version", version, problem));
  return [...ofGroup, ...ofVersion];
}

const missingGroup = (version: string) =>
  version === "v1"
    ? none
    : [required("spec.group", "only v1 may have an empty group and it better be legacy kube")];

function validatePriority(priority: number | undefined, path: string, most: number): FieldErrors {
  const value = priority ?? 0;
  return value > 0 && value <= most ? none : [invalid(path, value, `must be positive and less than ${most}`)];
}

function validateLocal({ caBundle = "", insecureSkipTLSVerify = false }: Spec): FieldErrors {
  const bytes = base64Bytes(caBundle).length;
  return [
    ...(bytes > 0
      ? [invalid("spec.caBundle", `${bytes} bytes`, "local APIServices may not have a caBundle")]
      : none),
    ...(insecureSkipTLSVerify
      ? [invalid("spec.insecureSkipTLSVerify", true, "local APIServices may not have insecureSkipTLSVerify")]
      : none),
  ];
}

function validateRemote({ service = {}, caBundle = "", insecureSkipTLSVerify = false }: Spec): FieldErrors {
  const ofPort = portNumber(service.port, "spec.service.port");
  return [
    ...requiredText(service.namespace, "spec.service.namespace"),
    ...requiredText(service.name, "spec.service.name"),
    ...ofPort.map((error) => ({ ...error, detail: `port is not valid: ${error.detail}` })),
    ...(insecureSkipTLSVerify && caBundle !== ""
      ? [invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present")]
      : none),
  ];
}
