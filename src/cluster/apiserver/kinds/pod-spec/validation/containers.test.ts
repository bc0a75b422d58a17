import { describe, expect, test } from "vitest";
import {
  type ContainerCase,
  labelCharacters,
  problemsOfContainer,
  problemsOfSpec,
  type SpecCase,
} from "./pod-spec-fixture.cases.ts";

const containerCases: readonly ContainerCase[] = [
  { name: "a name and an image", container: {}, want: [] },
  { name: "no name", container: { name: "" }, want: ["spec.containers[0].name: Required value"] },
  {
    name: "a bad name",
    container: { name: "App_1" },
    want: [`spec.containers[0].name: Invalid value: "App_1": ${labelCharacters}`],
  },
  { name: "no image", container: { image: "" }, want: ["spec.containers[0].image: Required value"] },
  {
    name: "an unknown pull policy",
    container: { imagePullPolicy: "Sometimes" },
    want: [
      'spec.containers[0].imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"',
    ],
  },
  {
    name: "an unknown message policy",
    container: { terminationMessagePolicy: "Log" },
    want: [
      'spec.containers[0].terminationMessagePolicy: Unsupported value: "Log": supported values: "File", "FallbackToLogsOnError"',
    ],
  },
  {
    name: "a port out of range",
    container: { ports: [{ containerPort: 65536 }] },
    want: [
      "spec.containers[0].ports[0].containerPort: Invalid value: 65536: must be between 1 and 65535, inclusive",
    ],
  },
  {
    name: "a port without a number",
    container: { ports: [{}] },
    want: ["spec.containers[0].ports[0].containerPort: Required value"],
  },
  {
    name: "a node port out of range",
    container: { ports: [{ containerPort: 80, hostPort: -1 }] },
    want: ["spec.containers[0].ports[0].hostPort: Invalid value: -1: must be between 1 and 65535, inclusive"],
  },
  {
    name: "an unknown protocol",
    container: { ports: [{ containerPort: 80, protocol: "ICMP" }] },
    want: [
      'spec.containers[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"',
    ],
  },
  {
    name: "a port name twice",
    container: {
      ports: [
        { containerPort: 80, name: "http" },
        { containerPort: 81, name: "http" },
      ],
    },
    want: ['spec.containers[0].ports[1].name: Duplicate value: "http"'],
  },
  {
    name: "a bad port name",
    container: { ports: [{ containerPort: 80, name: "80" }] },
    want: ['spec.containers[0].ports[0].name: Invalid value: "80": must contain at least one letter (a-z)'],
  },
  {
    name: "a node port twice",
    container: {
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 80 },
      ],
    },
    want: ['spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//80"'],
  },
  {
    name: "restart rules without a policy",
    container: { restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }] },
    want: [
      "spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used",
    ],
  },
  {
    name: "a rule that says nothing",
    container: { restartPolicy: "Never", restartPolicyRules: [{}] },
    want: [
      'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "": supported values: "Restart", "RestartAllContainers"',
      "spec.containers[0].restartPolicyRules[0].exitCodes: Required value: must be specified",
    ],
  },
  {
    name: "an unknown resize policy",
    container: { resizePolicy: [{ resourceName: "disk", restartPolicy: "NotRequired" }] },
    want: ['spec.containers[0].resizePolicy: Unsupported value: "disk": supported values: "cpu", "memory"'],
  },
];

test.for(containerCases)("a container with $name gets what Kubernetes says", ({ container, want }) => {
  expect(problemsOfContainer(container)).toEqual(want);
});

describe("a Pod", () => {
  const app = { name: "app", image: "nginx" };
  const specCases: readonly SpecCase[] = [
    { name: "needs a container", spec: { containers: [] }, want: ["spec.containers: Required value"] },
    {
      name: "needs different names",
      spec: { containers: [app, app] },
      want: ['spec.containers[1].name: Duplicate value: "app"'],
    },
    {
      name: "needs different names before the start, too",
      spec: { initContainers: [app] },
      want: ['spec.initContainers[0].name: Duplicate value: "app"'],
    },
    {
      name: "has no probes before the start",
      spec: { initContainers: [{ name: "init", image: "x", readinessProbe: { tcpSocket: { port: 80 } } }] },
      want: [
        "spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
      ],
    },
    {
      name: "has probes on sidecars",
      spec: {
        initContainers: [
          { name: "side", image: "x", restartPolicy: "Always", readinessProbe: { tcpSocket: { port: 80 } } },
        ],
      },
      want: [],
    },
    {
      name: "looks into containers it has",
      spec: { ephemeralContainers: [{ name: "debug", image: "x", targetContainerName: "other" }] },
      want: ['spec.ephemeralContainers[0].targetContainerName: Not found: "other"'],
    },
    {
      name: "does no work in a container that only looks",
      spec: {
        ephemeralContainers: [
          { name: "debug", image: "x", ports: [{ containerPort: 80 }], resources: { limits: { cpu: "1" } } },
        ],
      },
      want: [
        "spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an Ephemeral Container",
        "spec.ephemeralContainers[0].resources: Forbidden: cannot be set for an Ephemeral Container",
      ],
    },
    {
      name: "restarts as Kubernetes knows it",
      spec: { restartPolicy: "Sometimes" },
      want: [
        'spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
      ],
    },
  ];
  test.for(specCases)("$name", ({ spec, want }) => {
    expect(problemsOfSpec(spec)).toEqual(want);
  });

  test("on its node's network listens where it says", () => {
    const spec = {
      hostNetwork: true,
      containers: [{ ...app, ports: [{ containerPort: 80, hostPort: 81 }] }],
    };
    const want = [
      "spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true",
    ];
    expect(problemsOfSpec(spec)).toEqual(want);
    expect(problemsOfSpec(spec, "template")).toEqual(want);
  });

  test("of a template may leave the node port to the Pod", () => {
    const spec = { hostNetwork: true, containers: [{ ...app, ports: [{ containerPort: 80 }] }] };
    expect(problemsOfSpec(spec, "template")).toEqual([]);
  });
});
