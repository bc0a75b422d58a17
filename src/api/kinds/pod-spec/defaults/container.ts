import type { Container, EnvVar, ObjectFieldSelector } from "../../../generated/core-v1.ts";
import { eachItem, fillAbsent, fillEmpty, type MemberMaps, mapMembers } from "../../defaulting.ts";
import type { Sent } from "../../sent.ts";
import { defaultPullPolicy } from "./image-pull-policy.ts";
import { hookDefaults, probeDefaults } from "./probe.ts";

const members: MemberMaps<Sent<Container>> = {
  ports: eachItem((port) => fillEmpty(port, { protocol: "TCP" })),
  env: eachItem(envDefaults),
  livenessProbe: probeDefaults,
  readinessProbe: probeDefaults,
  startupProbe: probeDefaults,
  lifecycle: (lifecycle) => mapMembers(lifecycle, { postStart: hookDefaults, preStop: hookDefaults }),
};

/** A container of a Pod or of a template with its defaults. */
export function containerDefaults(container: Sent<Container>): Sent<Container> {
  const filled = fillEmpty(container, {
    imagePullPolicy: defaultPullPolicy(container.image),
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
  return mapMembers(fillAbsent(filled, { resources: {} }), members);
}

function envDefaults(variable: Sent<EnvVar>): Sent<EnvVar> {
  return mapMembers(variable, {
    valueFrom: (source) =>
      mapMembers(source, {
        fieldRef: fieldRefDefaults,
        fileKeyRef: (ref) => fillAbsent(ref, { optional: false }),
      }),
  });
}

/** A reference to a field of the Pod itself, which is one of version v1. */
export function fieldRefDefaults(ref: Sent<ObjectFieldSelector>): Sent<ObjectFieldSelector> {
  return fillEmpty(ref, { apiVersion: "v1" });
}
