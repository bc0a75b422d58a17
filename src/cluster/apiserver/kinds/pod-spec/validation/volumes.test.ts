import { describe, expect, test } from "vitest";
import type { Volume } from "../../../../../api/generated/core-v1.ts";
import type { Sent } from "../../../../../api/sent.ts";
import { labelCharacters, problemsOfContainer, problemsOfSpec } from "./pod-spec-fixture.cases.ts";

const at = "spec.volumes[0]";
const volumeCases: readonly {
  readonly name: string;
  readonly volume: Sent<Volume>;
  readonly want: readonly string[];
}[] = [
  { name: "an empty directory", volume: { name: "v", emptyDir: {} }, want: [] },
  { name: "no name", volume: { emptyDir: {} }, want: [`${at}.name: Required value`] },
  {
    name: "a bad name",
    volume: { name: "A", emptyDir: {} },
    want: [`${at}.name: Invalid value: "A": ${labelCharacters}`],
  },
  {
    name: "two sources",
    volume: { name: "v", emptyDir: {}, hostPath: { path: "/x" } },
    want: [`${at}.hostPath: Forbidden: may not specify more than 1 volume type`],
  },
  {
    name: "a negative size",
    volume: { name: "v", emptyDir: { sizeLimit: "-1" } },
    want: [`${at}.emptyDir.sizeLimit: Forbidden: SizeLimit field must be a valid resource quantity`],
  },
  {
    name: "a path of the node that steps up",
    volume: { name: "v", hostPath: { path: "/a/../b" } },
    want: [`${at}.hostPath.path: Invalid value: "/a/../b": must not contain '..'`],
  },
  {
    name: "an unknown kind of path",
    volume: { name: "v", hostPath: { path: "/a", type: "Pipe" } },
    want: [
      `${at}.hostPath.type: Unsupported value: "Pipe": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"`,
    ],
  },
  {
    name: "a Secret without a name",
    volume: { name: "v", secret: {} },
    want: [`${at}.secret.secretName: Required value`],
  },
  {
    name: "a ConfigMap without a name",
    volume: { name: "v", configMap: {} },
    want: [`${at}.configMap.name: Required value`],
  },
  {
    name: "an impossible mode",
    volume: { name: "v", secret: { secretName: "s", defaultMode: 512 } },
    want: [
      `${at}.secret.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive`,
    ],
  },
  {
    name: "a file outside of it",
    volume: { name: "v", secret: { secretName: "s", items: [{ key: "k", path: "/etc/x" }] } },
    want: [`${at}.secret.items[0].path: Invalid value: "/etc/x": must be a relative path`],
  },
  {
    name: "a file like the kubelet's own",
    volume: { name: "v", configMap: { name: "c", items: [{ key: "k", path: "..data" }] } },
    want: [`${at}.configMap.items[0].path: Invalid value: "..data": must not start with '..'`],
  },
  {
    name: "a claim without a name",
    volume: { name: "v", persistentVolumeClaim: {} },
    want: [`${at}.persistentVolumeClaim.claimName: Required value`],
  },
  {
    name: "a relative export",
    volume: { name: "v", nfs: { server: "s", path: "x" } },
    want: [`${at}.nfs.path: Invalid value: "x": must be an absolute path`],
  },
  {
    name: "a file about nothing",
    volume: { name: "v", downwardAPI: { items: [{ path: "x" }] } },
    want: [`${at}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`],
  },
  {
    name: "a short-lived token",
    volume: {
      name: "v",
      projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 60 } }] },
    },
    want: [
      `${at}.projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes`,
    ],
  },
  {
    name: "a file from two sources",
    volume: {
      name: "v",
      projected: {
        sources: [
          { secret: { name: "s", items: [{ key: "k", path: "x" }] } },
          { configMap: { name: "c", items: [{ key: "k", path: "x" }] } },
        ],
      },
    },
    want: [`${at}.projected: Invalid value: "x": conflicting duplicate paths`],
  },
];

test.for(volumeCases)("a volume with $name gets what Kubernetes says", ({ volume, want }) => {
  expect(problemsOfSpec({ volumes: [volume] })).toEqual(want);
});

test("volumes need different names", () => {
  const volume = { name: "v", emptyDir: {} };
  expect(problemsOfSpec({ volumes: [volume, volume] })).toEqual([
    'spec.volumes[1].name: Duplicate value: "v"',
  ]);
});

describe("a mount", () => {
  const pod = { volumes: [{ name: "v", emptyDir: {} }] };
  const mount = { name: "v", mountPath: "/v" };
  const mountAt = "spec.containers[0].volumeMounts";

  test.for([
    { name: "takes a volume of the Pod", mounts: [mount], want: [] },
    {
      name: "takes no other",
      mounts: [{ ...mount, name: "w" }],
      want: [`${mountAt}[0].name: Not found: "w"`],
    },
    {
      name: "needs a place",
      mounts: [{ name: "v" }],
      want: [`${mountAt}[0].mountPath: Required value`],
    },
    {
      name: "has the place alone",
      mounts: [mount, mount],
      want: [`${mountAt}[1].mountPath: Invalid value: "/v": must be unique`],
    },
    {
      name: "stays inside the volume",
      mounts: [{ ...mount, subPath: "../x" }],
      want: [`${mountAt}.subPath: Invalid value: "../x": must not contain '..'`],
    },
    {
      name: "has one way to say where inside",
      mounts: [{ ...mount, subPath: "a", subPathExpr: "b" }],
      want: [`${mountAt}.subPathExpr: Invalid value: "b": subPathExpr and subPath are mutually exclusive`],
    },
    {
      name: "propagates as Kubernetes knows it",
      mounts: [{ ...mount, mountPropagation: "Both" }],
      want: [
        `${mountAt}.mountPropagation: Unsupported value: "Both": supported values: "Bidirectional", "HostToContainer", "None"`,
      ],
    },
    {
      name: "propagates to the node only with privileges",
      mounts: [{ ...mount, mountPropagation: "Bidirectional" }],
      want: [
        `${mountAt}.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers`,
      ],
    },
    {
      name: "is read-only all the way down only when it is read-only",
      mounts: [{ ...mount, recursiveReadOnly: "Enabled" }],
      want: [`${mountAt}.recursiveReadOnly: Forbidden: may only be specified when readOnly is true`],
    },
  ])("$name", ({ mounts, want }) => {
    expect(problemsOfContainer({ volumeMounts: mounts }, pod)).toEqual(want);
  });

  test("of a block device needs a claim", () => {
    expect(problemsOfContainer({ volumeDevices: [{ name: "v", devicePath: "/dev/x" }] }, pod)).toEqual([
      'spec.containers[0].volumeDevices[0].name: Invalid value: "v": can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    ]);
  });
});
