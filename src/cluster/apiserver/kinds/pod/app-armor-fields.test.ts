import { expect, test } from "vitest";
import { defaultFeatureGates } from "../../../../api/feature-gates.ts";
import { formatFieldError } from "../../../../api/field-error.ts";
import type { AppArmorProfile, Pod, PodSpec } from "../../../../api/generated/core-v1.ts";
import type { StrategyContext } from "../kind-strategy.ts";
import { podStrategy } from "./strategy.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateTemplate } from "../workload/pod-template.ts";

const { defaults, prepareForCreate, validate, warningsAboutSent, warnings } = podStrategy as Required<
  typeof podStrategy
>;
const context: StrategyContext = { gates: defaultFeatureGates, now: 0 };
const key = "container.apparmor.security.beta.kubernetes.io/app";
const warning = `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`;

const runtimeDefault = { type: "RuntimeDefault" };
const unconfined = { type: "Unconfined" };
const mine = { type: "Localhost", localhostProfile: "mine" };

interface Given {
  readonly annotation?: string;
  readonly ofPod?: Sent<AppArmorProfile>;
  readonly ofContainer?: Sent<AppArmorProfile>;
  readonly spec?: Sent<PodSpec>;
}

function aPod({ annotation, ofPod, ofContainer, spec = {} }: Given): Sent<Pod> {
  const securityContext = ofContainer && { appArmorProfile: ofContainer };
  const app = { name: "app", image: "nginx:1", ...(securityContext && { securityContext }) };
  const sent = {
    metadata: { name: "web", ...(annotation !== undefined && { annotations: { [key]: annotation } }) },
    spec: { containers: [app], ...(ofPod && { securityContext: { appArmorProfile: ofPod } }), ...spec },
  };
  return defaults(sent);
}

/** What a create stores in the field of the first container, warns about and refuses. */
function created(given: Given): unknown {
  const sent = aPod(given);
  const stored = prepareForCreate(sent, context);
  const [container] = stored.spec?.containers ?? [];
  return {
    field: container?.securityContext?.appArmorProfile,
    warnings: [...warningsAboutSent(sent), ...warnings(stored, context)],
    refused: validate(stored, context).map(formatFieldError),
  };
}

test.for<Given & { readonly name: string; readonly field?: Sent<AppArmorProfile>; readonly warns?: boolean }>(
  [
    { name: "no confinement", annotation: "unconfined", field: unconfined, warns: true },
    { name: "the profile of the runtime", annotation: "runtime/default", field: runtimeDefault, warns: true },
    { name: "a profile of the node", annotation: "localhost/mine", field: mine, warns: true },
    {
      name: "another profile than its Pod",
      annotation: "unconfined",
      ofPod: mine,
      field: unconfined,
      warns: true,
    },
    { name: "the profile of its Pod", annotation: "localhost/mine", ofPod: mine },
    { name: "the profile of its field", annotation: "localhost/mine", ofContainer: mine, field: mine },
    { name: "a profile without a name", annotation: "localhost/", warns: true },
    { name: "a padded name", annotation: "localhost/ mine", warns: true },
    { name: "nothing", annotation: "", warns: true },
    { name: "a profile, for Windows", annotation: "unconfined", spec: { os: { name: "windows" } } },
  ],
)("a container that is annotated with $name", ({ field, warns = false, name: _name, ...given }) => {
  expect(created(given)).toEqual({ field, warnings: warns ? [warning] : [], refused: [] });
});

test("the fields of init containers are filled in as well, and those of other containers are not", () => {
  const annotated = aPod({ annotation: "unconfined" });
  const other = { name: "other", image: "nginx:1" };
  const [app = other] = annotated.spec?.containers ?? [];
  const pod = { ...annotated, spec: { initContainers: [app], containers: [other] } };
  expect(prepareForCreate(pod, context).spec).toEqual({
    initContainers: [{ ...app, securityContext: { appArmorProfile: unconfined } }],
    containers: [other],
  });
});

const at = "spec.containers[0].securityContext.appArmorProfile";
const types = `${at}.type: Forbidden: apparmor type in annotation and field must match`;
const profiles = `${at}.localhostProfile: Forbidden: apparmor profile in annotation and field must match`;
const disagreements: readonly (Given & { readonly name: string; readonly want: string })[] = [
  { name: "no confinement", annotation: "runtime/default", ofContainer: unconfined, want: types },
  { name: "that of the runtime", annotation: "localhost/mine", ofContainer: runtimeDefault, want: types },
  { name: "one of the node", annotation: "unconfined", ofContainer: mine, want: types },
  { name: "another one of the node", annotation: "localhost/yours", ofContainer: mine, want: profiles },
  { name: "that of its Pod", annotation: "localhost/", ofPod: unconfined, want: types },
];

test.for(disagreements)("a new Pod is refused if a container has another profile: $name", (given) => {
  expect(created(given)).toMatchObject({ refused: [given.want] });
});

test.for(disagreements)("a template is refused if a container has another profile: $name", (given) => {
  const { metadata = {}, spec = {} } = aPod(given);
  const template = { metadata: { annotations: metadata.annotations ?? {} }, spec };
  const errors = validateTemplate({ template, stored: undefined }, "template", context);
  expect(errors.map(formatFieldError)).toEqual([`template.${given.want}`]);
});

test("profiles for Windows are not compared with annotations", () => {
  const annotated = aPod({ annotation: "unconfined", spec: { os: { name: "windows" } } });
  expect(validate(annotated, context)).toEqual([]);
});

test("annotations of unknown containers and with unknown profiles are refused", () => {
  const stray = "container.apparmor.security.beta.kubernetes.io/stray";
  const pod = aPod({});
  const annotations = { [key]: "strict", [stray]: "unconfined" };
  const errors = validate({ ...pod, metadata: { name: "web", annotations } }, context);
  expect(errors.map(formatFieldError)).toEqual([
    `metadata.annotations[${key}]: Invalid value: "strict": invalid AppArmor profile name: "strict"`,
    `metadata.annotations[${stray}]: Invalid value: "stray": container not found`,
  ]);
});
