import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { deployments, nodes, pods } from "../../../src/api/resources.ts";
import { WallClock } from "../../../src/machinery/clock/wall-clock.ts";
import { applyText } from "./apply-text.ts";
import { PagePicker } from "./page-picker.ts";
import { PlaySession } from "./play-session.ts";
import { completeLine, manifestsOf, runLine } from "./run-line.ts";

const scenario = readFileSync("ui/playground/scenarios/welcome.yaml", "utf8");
const { signal } = new AbortController();

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: mine }
spec:
  replicas: 2
  selector: { matchLabels: { app: mine } }
  template:
    metadata: { labels: { app: mine } }
    spec: { containers: [{ name: mine, image: "example.com/mine:1" }] }
`;

/** A terminal whose time passes by steps only. */
async function terminal(
  text = scenario,
  edit: (shown: string) => string | undefined = () => undefined,
  inPanel = manifest,
) {
  const host = {
    wall: new WallClock(),
    picker: new PagePicker(() => undefined),
    changed: () => undefined,
  };
  const session = await PlaySession.start({ scenario: text, seed: 3, moments: [] }, host);
  await session.pace.change({ to: "pause" });
  const until = (ms: number) => session.pace.change({ to: "step", ms: ms - session.pace.state.passedMs });
  const run = async (line: string) => {
    let written = "";
    const io = {
      write: (piece: { readonly text: string }) => void (written += piece.text),
      signal,
      manifest: inPanel,
      edit: (shown: string) => Promise.resolve(edit(shown)),
    };
    await runLine(line, session, io);
    return written;
  };
  const cluster = async () => {
    const { client } = session.started.cluster;
    const found = await Promise.all([
      client.list(pods, {}),
      client.list(deployments, {}),
      client.list(nodes, {}),
    ]);
    return found.flatMap(({ items }) =>
      items.map(({ metadata: { name, uid, labels }, spec }) => JSON.stringify([name, uid, labels, spec])),
    );
  };
  return { session, until, run, cluster };
}

test("what lines change is part of the scenario, and its replay is the same cluster", async () => {
  const first = await terminal();
  await first.until(60_000);
  const lines = [
    "kubectl scale deployment web --replicas=5",
    "kubectl set image deployment/api api=example.com/api:2",
    "kubectl label node node-1 disk=fast",
    "kubectl taint node node-2 a=b:NoSchedule",
    "kubectl apply -f manifest.yaml",
    "kubectl create configmap one --from-literal=a=b",
    "kubectl cordon node-3",
    "kubectl delete configmap one --wait=false",
    "kubectl get pods",
    "kubectl scale deployment web --replicas=9 --dry-run=server",
  ];
  for (const line of lines) {
    await first.run(line);
    await first.until(first.session.pace.state.passedMs + 5000);
  }
  await first.until(600_000);
  const { text, missing } = first.session.scenario();
  expect(missing).toEqual([]);
  const again = await terminal(text);
  await again.until(600_000);
  expect(await again.cluster()).toEqual(await first.cluster());
  first.session.end();
  again.session.end();
});

test("what no event says is named", async () => {
  const { session, until, run } = await terminal();
  await until(60_000);
  await run("kubectl delete pods --all --now --wait=false");
  expect(session.scenario().missing).toEqual(["kubectl delete pods --all --now --wait=false"]);
  session.cutWatches();
  expect(session.scenario().missing).toContain("watches that were cut");
  session.end();
});

test("kubectl edit changes what the reader changes, and a gate that is switched is part of the scenario", async () => {
  const { session, until, run } = await terminal(scenario, (shown) =>
    shown.replace("replicas: 12", "replicas: 4"),
  );
  await until(60_000);
  expect(await run("kubectl edit deployment web")).toBe("deployment.apps/web edited\n");
  session.switchGates({ LogarithmicScaleDown: false });
  const { text } = session.scenario();
  expect(text).toContain("replicas: 4");
  expect(text).toContain("LogarithmicScaleDown: false");
  session.end();
});

test("watches that are cut are opened again", async () => {
  const { session, until, run } = await terminal();
  await until(60_000);
  expect(session.cutWatches()).toBeGreaterThan(5);
  await run("kubectl scale deployment web --replicas=3");
  await until(240_000);
  expect(await run("kubectl get deployment web -o jsonpath={.status.readyReplicas}")).toBe("3");
  session.end();
});

test.for([
  { line: "kubectl apply -f other.yaml", says: "manifest.yaml, the panel Manifests" },
  { line: "trimtab explain scale-down web --replicas=10", says: "web-" },
  { line: "trimtab explain rollout deployment/web", says: "web" },
  { line: "trimtab explain placement deployment/web", says: "the configuration of this cluster" },
  { line: "trimtab explain placement deployment/wep", says: "did you mean web?" },
  { line: "trimtab explain placement -f manifest.yaml", says: "needs one Pod" },
  { line: "trimtab explain placement deploy/web --node node-1", says: "--node is for" },
  { line: "trimtab explain scale-down web", says: "--replicas=N is needed" },
  { line: "trimtab explain", says: "say what to explain: scale-down, placement, rollout" },
  { line: "trimtab whatif --scale web=6", says: "web" },
  { line: "trimtab whatif --scale wep=6", says: "wep" },
  { line: "trimtab up", says: "not supported in this page" },
  { line: "ls", says: "not found" },
])("$line says $says", async ({ line, says }) => {
  const { session, until, run } = await terminal();
  await until(60_000);
  expect(await run(line)).toContain(says);
  session.end();
});

const other = (kind: string, spec: object) =>
  JSON.stringify({
    apiVersion: "apps/v1",
    kind,
    metadata: { name: "other" },
    spec: {
      ...spec,
      selector: { matchLabels: { app: "other" } },
      template: {
        metadata: { labels: { app: "other" } },
        spec: { containers: [{ name: "other", image: "example.com/other:1" }] },
      },
    },
  });
const pod = `apiVersion: v1
kind: Pod
metadata: { name: alone }
spec:
  nodeSelector: { disk: fast }
  containers: [{ name: alone, image: "example.com/alone:1" }]
`;

test.for([
  { line: "rollout sts/other", text: other("StatefulSet", { replicas: 2 }), says: "other-1" },
  { line: "scale-down sts/other --replicas=1", text: other("StatefulSet", { replicas: 2 }), says: "other-1" },
  { line: "rollout ds/other", text: other("DaemonSet", {}), says: "node-9" },
  { line: "placement ds/other --node=node-2", text: other("DaemonSet", {}), says: "node-2" },
  { line: "placement ds/other --node=node-12", text: other("DaemonSet", {}), says: "did you mean node-1" },
  {
    line: "placement -f manifest.yaml",
    text: pod,
    says: "node(s) didn't match Pod's node affinity/selector",
  },
  { line: "placement -f manifest.yaml -o json", text: pod, says: '"kind": "PlacementExplanation"' },
])("trimtab explain $line says $says", async ({ line, text, says }) => {
  const { session, until, run } = await terminal(scenario, undefined, text);
  await applyText(text, session, signal);
  await until(60_000);
  expect(await run(`trimtab explain ${line}`)).toContain(says);
  session.end();
});

test.for([
  { line: "kub", want: ["kubectl"] },
  { line: "kubectl scale deployment w", want: ["web"] },
  { line: "k apply -f ", want: ["manifest.yaml"] },
  { line: "trimtab explain ro", want: ["rollout"] },
  { line: "trimtab explain placement deploy/w", want: ["deploy/web"] },
])("$line is completed", async ({ line, want }) => {
  const { session, until } = await terminal();
  await until(30_000);
  expect((await completeLine(line, session, signal)).words).toEqual(want);
  session.end();
});

test("exported manifests make the same workloads elsewhere", async () => {
  const { session, until } = await terminal();
  await until(30_000);
  const text = await manifestsOf(session, signal);
  expect(text.match(/^kind: .*$/gm)?.toSorted()).toEqual([
    "kind: Deployment",
    "kind: Deployment",
    "kind: PodDisruptionBudget",
  ]);
  expect(text).not.toMatch(/uid|status:|resourceVersion/);
  const empty = await terminal(scenario.replace(/manifests:[\s\S]*$/, "manifests: []\n"));
  const applied = await applyText(text, empty.session, signal);
  expect(applied.problems).toEqual([]);
  expect(await manifestsOf(empty.session, signal)).toBe(text);
  session.end();
  empty.session.end();
});

test("a line that watches ends when its reader ends it", async () => {
  const { session } = await terminal();
  const ending = new AbortController();
  const written = new Promise<void>((resolve) => {
    const io = {
      write: () => resolve(),
      signal: ending.signal,
      manifest,
      edit: () => Promise.resolve(undefined),
    };
    void runLine("kubectl get deployments -w", session, io).then(() => ended.push("kubectl"));
  });
  const ended: string[] = [];
  await written;
  ending.abort(new Error("ended by a key"));
  await expect.poll(() => ended).toEqual(["kubectl"]);
  session.end();
});
