import { expect, test } from "vitest";
import { type ContainerCase, problemsOfContainer } from "./pod-spec-fixture.cases.ts";

const live = "spec.containers[0].livenessProbe";
const ready = "spec.containers[0].readinessProbe";
const hook = "spec.containers[0].lifecycle.preStop";
const socket = { tcpSocket: { port: 80 } };

const cases: readonly ContainerCase[] = [
  { name: "an HTTP probe", container: { livenessProbe: { httpGet: { port: "http" } } }, want: [] },
  { name: "a gRPC probe", container: { livenessProbe: { grpc: { port: 80 } } }, want: [] },
  {
    name: "a probe of nothing",
    container: { livenessProbe: {} },
    want: [`${live}: Required value: must specify a handler type`],
  },
  {
    name: "a probe of two things",
    container: { livenessProbe: { exec: { command: ["ls"] }, ...socket } },
    want: [`${live}.tcpSocket: Forbidden: may not specify more than 1 handler type`],
  },
  {
    name: "a probe that runs nothing",
    container: { livenessProbe: { exec: {} } },
    want: [`${live}.exec.command: Required value`],
  },
  {
    name: "a probe with an unknown scheme",
    container: { livenessProbe: { httpGet: { port: 80, scheme: "FTP" } } },
    want: [`${live}.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"`],
  },
  {
    name: "a probe without a port",
    container: { livenessProbe: { httpGet: {} } },
    want: [`${live}.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive`],
  },
  {
    name: "a probe with a bad header",
    container: { livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: "a b" }] } } },
    want: [
      `${live}.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
    ],
  },
  {
    name: "a probe before its time",
    container: { livenessProbe: { ...socket, initialDelaySeconds: -1 } },
    want: [`${live}.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0`],
  },
  {
    name: "two successes to be alive",
    container: { livenessProbe: { ...socket, successThreshold: 2 } },
    want: [`${live}.successThreshold: Invalid value: 2: must be 1`],
  },
  {
    name: "two successes to be ready",
    container: { readinessProbe: { ...socket, successThreshold: 2 } },
    want: [],
  },
  {
    name: "a grace period for being unready",
    container: { readinessProbe: { ...socket, terminationGracePeriodSeconds: 5 } },
    want: [`${ready}.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes`],
  },
  {
    name: "no grace period for being dead",
    container: { livenessProbe: { ...socket, terminationGracePeriodSeconds: 0 } },
    want: [`${live}.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0`],
  },
  {
    name: "a nap before the end",
    container: { lifecycle: { preStop: { sleep: { seconds: 30 } } } },
    want: [],
  },
  {
    name: "a nap beyond the end",
    container: { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
    want: [
      `${hook}.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)`,
    ],
  },
  {
    name: "an empty hook",
    container: { lifecycle: { preStop: {} } },
    want: [`${hook}: Required value: must specify a handler type`],
  },
];

test.for(cases)("a container with $name gets what Kubernetes says", ({ container, want }) => {
  expect(problemsOfContainer(container)).toEqual(want);
});
