import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { deployments, leases, nodes, pods } from "../../src/api/resources.ts";
import { allCommands } from "../../src/cli/commands.ts";
import { clientOf, folderWith, type, typed, up } from "./type-command.ts";

const commands = await allCommands();

const pod =
  "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers: [{name: web, image: nginx}]\n";
const deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: kube-public}
spec:
  replicas: 0
  selector: {matchLabels: {app: shop}}
  template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: shop, image: shop}]}}
`;

describe("trimtab up", () => {
  test("starts as many nodes as it is told, says how to use them, and leaves nothing behind", async () => {
    const { client, kubeconfig, out, err, code, interrupt } = await up({}, "--nodes=5", "--zones=2");
    expect(out.join("\n")).toMatch(/^trimtab is ready: 5 nodes in 2 zones at https:\/\/127\.0\.0\.1:\d+/);
    expect(out.join("\n")).toContain(`export KUBECONFIG=${kubeconfig}`);
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect((await client.list(nodes, {})).items).toHaveLength(5);
    interrupt();
    expect(await code).toBe(0);
    expect(existsSync(kubeconfig)).toBe(false);
    expect(err).toEqual([]);
    await expect(client.list(nodes, {})).rejects.toThrow("ECONNREFUSED");
  });

  test("starts the groups of nodes that a file describes", async () => {
    const groups = "[{name: plain, count: 1}, {name: gpu, count: 2, zone: zone-c}]";
    const text = `apiVersion: trimtab.dev/v1alpha1\nkind: NodeGroups\ngroups: ${groups}\n`;
    const file = path.join(folderWith({ "nodes.yaml": text }), "nodes.yaml");
    const { client, out } = await up({}, `--nodes-file=${file}`);
    expect(out.join("\n")).toMatch(/^trimtab is ready: 3 nodes in 2 groups at /);
    const { items } = await client.list(nodes, {});
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["gpu-1", "gpu-2", "plain-1"]);
  });

  test("leaves the nodes to another program's kubelets when told to simulate none", async () => {
    const nodeLeases = async (...words: readonly string[]) => {
      const { client } = await up({}, "--nodes=2", ...words);
      return (await client.list(leases, { namespace: "kube-node-lease" })).items.length;
    };
    expect(await nodeLeases()).toBe(2);
    expect(await nodeLeases("--no-kubelet")).toBe(0);
  });

  test("applies the manifests it is given, several in a file", async () => {
    const { client } = await up({ "pod.yaml": pod + deployment, "empty.yaml": "# nothing\n" });
    expect((await client.get(pods, { namespace: "default", name: "web" })).spec.containers).toHaveLength(1);
    expect((await client.get(deployments, { namespace: "kube-public", name: "shop" })).spec.replicas).toBe(0);
  });

  test("leaves a kubeconfig alone that was changed or removed meanwhile", async () => {
    const [kept, taken] = [await up(), await up()];
    writeFileSync(kept.kubeconfig, "mine");
    rmSync(taken.kubeconfig);
    for (const { interrupt, code } of [kept, taken]) {
      interrupt();
      expect(await code).toBe(0);
    }
    expect(readFileSync(kept.kubeconfig, "utf8")).toBe("mine");
  });

  test.for([
    { name: "a folder, which is left alone", put: (file: string) => mkdirSync(file) },
    { name: "a link, which is left alone", put: (file: string) => symlinkSync(file, file) },
  ])("ends also where its kubeconfig has become $name", async ({ put }) => {
    const folder = folderWith();
    const kubeconfig = path.join(folder, "kubeconfig");
    const { ready, code, interrupt } = type("up", "--port=0", `--kubeconfig=${kubeconfig}`);
    await ready;
    const client = clientOf(kubeconfig);
    rmSync(kubeconfig);
    put(kubeconfig);
    interrupt();
    expect(await code).toBe(0);
    await expect(client.list(nodes, {})).rejects.toThrow("ECONNREFUSED");
  });

  test("replaces a kubeconfig of its own, and only its owner can read it", async () => {
    const first = await up();
    const left = path.join(folderWith(), "kubeconfig");
    writeFileSync(left, readFileSync(first.kubeconfig));
    chmodSync(left, 0o644);
    const second = type("up", "--port=0", `--kubeconfig=${left}`);
    await second.ready;
    expect(statSync(left).mode & 0o777).toBe(0o600);
    expect((await clientOf(left).list(nodes, {})).items).toHaveLength(12);
    second.interrupt();
    expect(await second.code).toBe(0);
  });
});

describe("trimtab up --merge-kubeconfig", () => {
  test("adds a context to the user's own kubeconfig and removes it at the end", async () => {
    const own = path.join(folderWith(), "config");
    writeFileSync(own, "current-context: production\n");
    vi.stubEnv("KUBECONFIG", own);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { out, code, interrupt } = await up({}, "--nodes=2", "--merge-kubeconfig");
    expect(out.join("\n")).toContain("kubectl config use-context trimtab");
    expect((await clientOf(own, "trimtab").list(nodes, {})).items).toHaveLength(2);
    interrupt();
    expect(await code).toBe(0);
    expect(readFileSync(own, "utf8")).toBe("current-context: production\n");
  });

  test("ends with a sentence where that kubeconfig cannot be changed", async () => {
    const own = path.join(folderWith({ config: "a: [b" }), "config");
    vi.stubEnv("KUBECONFIG", own);
    onTestFinished(() => void vi.unstubAllEnvs());
    const kubeconfig = path.join(folderWith(), "kubeconfig");
    const flags = ["--port=0", `--kubeconfig=${kubeconfig}`, "--merge-kubeconfig"];
    const { code, err } = await typed("up", ...flags);
    expect(code).toBe(1);
    expect(err).toMatch(/^trimtab up: cannot change the contexts in [^\n]*config: it is not YAML[^\n]*$/);
    expect(existsSync(kubeconfig)).toBe(false);
  });
});

describe("what trimtab up cannot do is one sentence, exit code 1, and no kubeconfig", () => {
  const files = {
    "broken.yaml": "a: [b",
    "twice.yaml": "kind: Pod\nkind: Pod\n",
    "word.yaml": "hello",
    "unknown.yaml": "apiVersion: example.com/v1\nkind: Gadget\n",
    "headless.yaml": "metadata: {name: web}\n",
    "typo.yaml": pod.replace("image:", "imgae:"),
    "wrong.yaml": pod.replace("name: web, image", "name: Web_1, image"),
    "homeless.yaml": pod.replace("{name: web}", "{name: web, namespace: nowhere}"),
    "config.yaml": "apiVersion: v1\nkind: Config\ncurrent-context: production\n",
  };

  test.for([
    { name: "a manifest that is no YAML", words: ["broken.yaml"], says: /broken\.yaml: not YAML/ },
    { name: "a manifest with a key twice", words: ["twice.yaml"], says: /twice\.yaml: not YAML/ },
    {
      name: "a manifest that is no object",
      words: ["word.yaml"],
      says: /word\.yaml: an object was expected/,
    },
    {
      name: "a manifest of an unknown kind",
      words: ["unknown.yaml"],
      says: /no kind Gadget in example\.com\/v1/,
    },
    { name: "a manifest of no kind", words: ["headless.yaml"], says: /apiVersion and kind are needed/ },
    {
      name: "a manifest with a typing error",
      words: ["typo.yaml"],
      says: /unknown field "spec\.containers\[0\]\.imgae"/,
    },
    {
      name: "a manifest of an invalid object",
      words: ["wrong.yaml"],
      says: /pod\/web in .*wrong\.yaml: .*is invalid/,
    },
    {
      name: "a manifest for a namespace that is not there",
      words: ["homeless.yaml"],
      says: /namespaces "nowhere" not found/,
    },
    { name: "a manifest that is not there", words: ["nowhere.yaml"], says: /nowhere\.yaml: no such file/ },
    { name: "a manifest that is a folder", words: ["."], says: /is a directory/ },
    { name: "an unknown flag", words: ["--colour=green"], says: /unknown flag --colour; trimtab up --help/ },
    { name: "a mistyped flag", words: ["--node=3"], says: /unknown flag --node; did you mean --nodes\?/ },
    {
      name: "an unknown gate",
      words: ["--feature-gates=Antigravity=true"],
      says: /Antigravity.*DownscalePodPicker/,
    },
    {
      name: "gates that contradict each other",
      words: [
        "--feature-gates=DeploymentReplicaSetTerminatingReplicas=false,DeploymentPodReplacementPolicy=true",
      ],
      says: /DeploymentPodReplacementPolicy/,
    },
    { name: "a number that is none", words: ["--nodes=many"], says: /--nodes must be a number/ },
    { name: "a port beyond all", words: ["--port=65536"], says: /--port must be a number from 0 to 65535/ },
    {
      name: "a speed that is none",
      words: ["--speed=0"],
      says: /--speed must be a number from 0\.01 to 1000/,
    },
    {
      name: "a speed with Pods that another program runs",
      words: ["--speed=2", "--no-kubelet"],
      says: /--speed and --no-kubelet exclude each other: another program would run Pods by the wall clock/,
    },
    {
      name: "a speed with a data directory",
      words: ["--speed=2", "--data-dir=data"],
      says: /--speed and --data-dir exclude each other: after a restart the clock would be behind/,
    },
    {
      name: "nodes that are described twice",
      words: ["--nodes=2", "--nodes-file=nodes.yaml"],
      says: /--nodes and --nodes-file exclude each other/,
    },
    { name: "a name that is none", words: ["--name=My Cluster"], says: /--name: a lowercase RFC 1123 label/ },
    { name: "a background without a name", words: ["--detach"], says: /--detach needs --name/ },
    {
      name: "a nodes file that is not there",
      words: ["--nodes-file=/nowhere"],
      says: /\/nowhere: no such file/,
    },
    { name: "an unknown level", words: ["--log-level=loud"], says: /--log-level must be one of/ },
    {
      name: "a kubeconfig that is a folder",
      words: ["--kubeconfig=."],
      says: /cannot write the kubeconfig to .*: something that is no file is there/,
    },
    {
      name: "a kubeconfig in a folder that cannot be created",
      words: ["--kubeconfig=/proc/nowhere/kubeconfig"],
      says: /cannot write the kubeconfig to \/proc\/nowhere\/kubeconfig: /,
    },
    {
      name: "another cluster's kubeconfig",
      words: ["--kubeconfig=config.yaml"],
      says: /cannot write the kubeconfig to .*config\.yaml: another cluster's is there/,
    },
  ])("$name", async ({ words, says }) => {
    const folder = folderWith(files);
    const placed = words.map((word) =>
      word.replace(
        /^(--kubeconfig=)?(\.|\w+\.yaml)$/,
        (_word, flag: string | undefined, file: string) => (flag ?? "") + path.join(folder, file),
      ),
    );
    const kubeconfig = path.join(folder, "kubeconfig");
    const { code, out, err } = await typed("up", "--port=0", `--kubeconfig=${kubeconfig}`, ...placed);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(says);
    expect(err).toMatch(/^trimtab up: [^\n]+$/);
    expect(existsSync(kubeconfig)).toBe(false);
    expect(readFileSync(path.join(folder, "config.yaml"), "utf8")).toBe(files["config.yaml"]);
  });

  test("a port in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const kubeconfig = path.join(folderWith(), "kubeconfig");
    expect(await typed("up", `--port=${port}`, `--kubeconfig=${kubeconfig}`)).toEqual({
      code: 1,
      out: "",
      err: `trimtab up: cannot listen on port ${port} of 127.0.0.1: it is in use; --name NAME starts a cluster with a port and a kubeconfig of its own`,
    });
    expect(existsSync(kubeconfig)).toBe(false);
  });
});

test("trimtab --help names every command, and trimtab up --help every flag", async () => {
  const overview = await typed("--help");
  for (const { name, summary } of commands)
    expect(overview.out).toMatch(new RegExp(`  ${name} +${summary.slice(0, 20)}`));
  const help = await typed("up", "--help");
  for (const flag of [
    "nodes",
    "nodes-file",
    "zones",
    "speed",
    "name",
    "detach",
    "port",
    "kubeconfig",
    "no-kubelet",
    "feature-gates",
    "log-level",
  ])
    expect(help.out).toContain(`--${flag}`);
  expect([overview.code, help.code]).toEqual([0, 0]);
});

test("trimtab version says which it is", async () => {
  expect(await typed("version")).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^trimtab \d+\.\d+\.\d+$/),
  });
});
