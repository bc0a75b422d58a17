import { describe, expect, test } from "vitest";
import type { Container, Volume } from "../generated/core-v1.ts";
import type { Sent } from "../sent.ts";
import { podSpecDefaults } from "./pod-spec-defaults.ts";

const ofContainer = (container: Sent<Container>): Sent<Container> | undefined =>
  podSpecDefaults({ containers: [container] }).containers?.[0];
const ofVolume = (volume: Sent<Volume>): Sent<Volume> | undefined =>
  podSpecDefaults({ volumes: [volume] }).volumes?.[0];

describe("the defaults of a Pod's spec", () => {
  test("fill in what every Pod has", () => {
    expect(
      podSpecDefaults({ containers: [{ name: "app", image: "nginx", ports: [{ containerPort: 80 }] }] }),
    ).toEqual({
      containers: [
        {
          name: "app",
          image: "nginx",
          ports: [{ containerPort: 80, protocol: "TCP" }],
          imagePullPolicy: "Always",
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
          resources: {},
        },
      ],
      dnsPolicy: "ClusterFirst",
      restartPolicy: "Always",
      schedulerName: "default-scheduler",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    });
  });

  test("keep an explicit zero and an explicit empty object", () => {
    const spec = podSpecDefaults({ terminationGracePeriodSeconds: 0, securityContext: { runAsUser: 1 } });
    expect(spec).toMatchObject({ terminationGracePeriodSeconds: 0, securityContext: { runAsUser: 1 } });
  });

  test("do not touch a spec that has everything", () => {
    const spec = podSpecDefaults({ containers: [{ name: "app", image: "nginx" }], volumes: [{ name: "v" }] });
    expect(podSpecDefaults(spec)).toBe(spec);
  });

  test.for([
    { name: "by the new name", spec: { serviceAccountName: "a" } },
    { name: "by the old name", spec: { serviceAccount: "a" } },
    { name: "by both, and the new one counts", spec: { serviceAccountName: "a", serviceAccount: "b" } },
  ])("name the service account twice, given $name", ({ spec }) => {
    expect(podSpecDefaults(spec)).toMatchObject({ serviceAccountName: "a", serviceAccount: "a" });
  });
});

test.for([
  { image: "nginx", want: "Always" },
  { image: "nginx:latest", want: "Always" },
  { image: "nginx:1.27", want: "IfNotPresent" },
  { image: "registry:5000/nginx", want: "Always" },
  { image: "registry:5000/nginx:1.27", want: "IfNotPresent" },
  { image: "nginx@sha256:0123", want: "IfNotPresent" },
  { image: "Not An Image", want: "IfNotPresent" },
  { image: "", want: "IfNotPresent" },
])("$image is pulled $want", ({ image, want }) => {
  expect(ofContainer({ image })?.imagePullPolicy).toBe(want);
});

test("a probe has its timing, and a zero counts as none", () => {
  const timing = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  expect(
    ofContainer({ livenessProbe: { tcpSocket: { port: 80 }, periodSeconds: 0 } })?.livenessProbe,
  ).toEqual({
    tcpSocket: { port: 80 },
    ...timing,
  });
  expect(ofContainer({ readinessProbe: { httpGet: { port: 80 } } })?.readinessProbe).toEqual({
    httpGet: { port: 80, path: "/", scheme: "HTTP" },
    ...timing,
  });
});

test("a variable from a field is of version v1", () => {
  const env = [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }];
  expect(ofContainer({ env })?.env?.[0]?.valueFrom?.fieldRef).toEqual({
    fieldPath: "metadata.name",
    apiVersion: "v1",
  });
});

test.for<{ name: string; volume: Sent<Volume>; want: Sent<Volume> }>([
  { name: "an empty directory for want of anything else", volume: {}, want: { emptyDir: {} } },
  {
    name: "a Secret",
    volume: { secret: { secretName: "s" } },
    want: { secret: { secretName: "s", defaultMode: 420 } },
  },
  {
    name: "a ConfigMap",
    volume: { configMap: { name: "c" } },
    want: { configMap: { name: "c", defaultMode: 420 } },
  },
  {
    name: "facts about the Pod",
    volume: { downwardAPI: { items: [{ path: "x", fieldRef: { fieldPath: "metadata.name" } }] } },
    want: {
      downwardAPI: {
        defaultMode: 420,
        items: [{ path: "x", fieldRef: { fieldPath: "metadata.name", apiVersion: "v1" } }],
      },
    },
  },
  {
    name: "a token",
    volume: { projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
    want: {
      projected: {
        defaultMode: 420,
        sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3600 } }],
      },
    },
  },
  {
    name: "a path of the node",
    volume: { hostPath: { path: "/x" } },
    want: { hostPath: { path: "/x", type: "" } },
  },
  {
    name: "an image",
    volume: { image: { reference: "data:1" } },
    want: { image: { reference: "data:1", pullPolicy: "IfNotPresent" } },
  },
])("a volume becomes $name", ({ volume, want }) => {
  expect(ofVolume({ name: "v", ...volume })).toEqual({ name: "v", ...want });
});
