import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { install } from "./install.ts";

/** Runs the command; the flags are as `parseArgs` gives them, with their defaults. */
async function run(flags: Readonly<Record<string, string | boolean | readonly string[]>>) {
  const printed: string[] = [];
  const complaints: string[] = [];
  const terminal = {
    out: (text: string) => printed.push(text),
    err: (text: string) => complaints.push(text),
    interrupted: new AbortController().signal,
  };
  const defaults = { image: "", program: "steer", namespace: "trimtab" };
  const code = await install.run({ flags: { ...defaults, ...flags }, arguments: [] }, terminal);
  const objects = parseAllDocuments(printed.join("\n")).map(
    (document) => document.toJS() as { kind: string; metadata: { name: string; namespace?: string } },
  );
  return { code, complaints, objects, text: printed.join("\n") };
}

const namesOf = (objects: Awaited<ReturnType<typeof run>>["objects"], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

test("install --print prints steer with its roles, in the namespace and with the image that were named", async () => {
  const { code, objects, text } = await run({ print: true, image: "registry/trimtab:1", namespace: "ops" });
  expect(code).toBe(0);
  expect(namesOf(objects, "Namespace")).toEqual(["ops"]);
  expect(namesOf(objects, "ClusterRole").toSorted()).toEqual([
    "trimtab-auth-delegator",
    "trimtab-diagnostics-reader",
    "trimtab-steer",
  ]);
  expect(namesOf(objects, "Deployment")).toEqual(["trimtab-steer"]);
  expect(text).toContain("image: registry/trimtab:1\n");
  expect(text).not.toContain("namespace: trimtab\n");
  expect(text).not.toContain("registry.example");
});

test("install --print adds what pod pickers need only where they are allowed", async () => {
  const { objects, text } = await run({
    print: true,
    image: "trimtab",
    "picker-allow": ["picker.shop.svc", "10.0.0.0/8"],
  });
  expect(namesOf(objects, "ClusterRole")).toContain("trimtab-pod-pickers");
  expect(namesOf(objects, "ClusterRoleBinding")).toContain("trimtab-pod-pickers");
  for (const flag of [
    "--feature-gates=DownscalePodPicker=true",
    "--picker-allow=picker.shop.svc",
    "--picker-allow=10.0.0.0/8",
  ])
    expect(text).toContain(`- ${flag}\n`);
});

test("install --print prints the controllers in place of steer", async () => {
  const { objects } = await run({ print: true, image: "trimtab", program: "controllers" });
  expect(namesOf(objects, "DaemonSet")).toEqual(["trimtab-controllers"]);
  expect(namesOf(objects, "Deployment")).toEqual([]);
  expect(namesOf(objects, "ClusterRole")).toContain("trimtab-controllers");
});

test("install --print prints a second scheduler, which asks no pickers", async () => {
  const flags = { print: true, image: "trimtab", program: "scheduler" };
  const { objects } = await run(flags);
  expect(namesOf(objects, "Deployment")).toEqual(["trimtab-scheduler"]);
  expect(namesOf(objects, "ClusterRole")).not.toContain("trimtab-controllers");
  const { code, complaints } = await run({ ...flags, "picker-allow": ["picker.shop.svc"] });
  expect(code).toBe(1);
  expect(complaints).toEqual(["trimtab install: --picker-allow: the scheduler asks no pickers"]);
});

test("install says all that is wrong with its flags", async () => {
  const { code, complaints } = await run({
    program: "kubelet",
    namespace: "No Name",
    "picker-allow": ["not a host"],
  });
  expect(code).toBe(1);
  expect(complaints).toEqual([
    "trimtab install: only --print is there: it prints the manifests for kubectl apply -f -",
    "trimtab install: --image must name the image with the package in it; it has no default",
    "trimtab install: --program must be one of steer, controllers, scheduler",
    expect.stringContaining("trimtab install: --namespace: "),
    expect.stringContaining("trimtab install: --picker-allow: "),
  ]);
});
