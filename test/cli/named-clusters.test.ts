import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { leases } from "../../src/api/resources.ts";
import { formatMicroTime, parseTime } from "../../src/api/time.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { folderWith, type, typed, up } from "./type-command.ts";

beforeEach(() => {
  vi.stubEnv("XDG_STATE_HOME", folderWith());
  vi.stubEnv("KUBECONFIG", "");
  vi.stubEnv("HOME", folderWith()); // where another cluster's kubeconfig may be
  return () => void vi.unstubAllEnvs();
});

test("a cluster with a name is listed, shown, and found by its name until it ends", async () => {
  expect(await typed("list")).toEqual({
    code: 0,
    out: "",
    err: "no clusters: trimtab up --name NAME starts one",
  });
  const { interrupt, code, kubeconfig } = await up({}, "--name=a", "--nodes=2");
  expect(readFileSync(kubeconfig, "utf8")).toContain("current-context: trimtab-a\n");
  expect((await typed("list")).out).toMatch(
    /^NAME   STATE     AGE +URL +NODES\na      running   \d+s +https:\S+ +2 nodes in 3 zones$/,
  );
  const shown = await typed("status", "a");
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/^Name: +a\nState: +running, process \d+\n/);
  expect(shown.out).toMatch(/\nTime: +\S+Z, as fast as the wall clock$/);
  expect(JSON.parse((await typed("list", "--json")).out)).toMatchObject([
    { name: "a", state: "running", pid: process.pid, kubeconfig, context: "trimtab-a" },
  ]);
  interrupt();
  expect(await code).toBe(0);
  expect((await typed("list")).out).toBe("");
  expect(await typed("status", "a")).toMatchObject({
    code: 1,
    err: 'trimtab status: there is no cluster named "a": none is running',
  });
});

test("a name in use, and one that is not there, are a sentence each", async () => {
  await up({}, "--name=a", "--nodes=0");
  expect(await typed("up", "--name=a", "--port=0")).toEqual({
    code: 1,
    out: "",
    err: `trimtab up: cannot start the cluster a: process ${process.pid} runs it already`,
  });
  expect(await typed("stop", "b")).toMatchObject({
    code: 1,
    err: 'trimtab stop: there is no cluster named "b": there are a',
  });
  expect(await typed("reset", "a")).toMatchObject({
    code: 1,
    err: `trimtab reset: the cluster a runs in a terminal (process ${process.pid}): end it there and start it again`,
  });
});

test("a cluster that is interrupted while it starts does not say that it is ready, and leaves nothing", async () => {
  const { code, out, err, interrupt } = type("up", "--name=a", "--nodes=0");
  interrupt();
  expect(await code).toBe(1);
  expect({ out, err }).toEqual({ out: [], err: ["trimtab up: interrupted before it was ready"] });
  expect((await typed("list", "--json")).out).toBe("[]");
});

test("two clusters run side by side, each with a context in the user's kubeconfig until it ends", async () => {
  const own = path.join(folderWith({ config: "current-context: production\n" }), "config");
  vi.stubEnv("KUBECONFIG", own);
  const [a, b] = [
    await up({}, "--name=a", "--merge-kubeconfig"),
    await up({}, "--name=b", "--merge-kubeconfig"),
  ];
  const contexts = () =>
    [...readFileSync(own, "utf8").matchAll(/^\s*- name: (trimtab\S*)\n\s+context:/gm)].map(
      ([, name]) => name,
    );
  expect(contexts()).toEqual(["trimtab-a", "trimtab-b"]);
  a.interrupt();
  await a.code;
  expect(contexts()).toEqual(["trimtab-b"]);
  b.interrupt();
  await b.code;
  expect(contexts()).toEqual([]);
  expect(readFileSync(own, "utf8")).toContain("current-context: production");
});

test("time is paused, stepped, sped up and resumed by name, by kubeconfig, or because there is one cluster", async () => {
  const { kubeconfig } = await up({}, "--name=a", "--nodes=1");
  expect((await typed("time", "pause")).out).toMatch(/^\S+Z, paused \(as fast as the wall clock otherwise\)/);
  const read = async () =>
    JSON.parse((await typed("time", "--json", "--name=a")).out) as { readonly time: string };
  const before = parseTime((await read()).time) ?? 0;
  await typed("time", "step", "30s", `--kubeconfig=${kubeconfig}`);
  expect(parseTime((await read()).time)).toBe(before + 30_000);
  expect((await typed("time", "speed", "10", "--name=a")).out).toContain(
    "10 times as fast as the wall clock otherwise",
  );
  expect((await typed("time", "resume")).out).toMatch(
    /Z, 10 times as fast as the wall clock, \S+ ahead of it$/,
  );
});

const refusals: readonly { readonly words: readonly string[]; readonly says: string }[] = [
  { words: ["rewind"], says: '"rewind" is none of pause, resume, step and speed' },
  { words: ["step"], says: "step needs a duration, such as step 30s" },
  { words: ["speed"], says: "speed needs a factor, such as speed 10" },
  { words: ["pause", "5s"], says: "pause has too many operands" },
  {
    words: ["step", "soon"],
    says: 'duration "soon" must be above 0 and at most 8760h0m0s, such as 30s or 1h30m',
  },
  { words: ["speed", "fast"], says: 'factor "fast" must be a number from 0.01 to 1000' },
  { words: ["pause", "--name=b"], says: 'no cluster named "b" is running: see trimtab list' },
  { words: ["pause", "--name=a", "--context=x"], says: "--name excludes --kubeconfig and --context" },
];

test("what trimtab time cannot do is one sentence and exit code 1", async () => {
  await up({}, "--name=a", "--nodes=0");
  for (const { words, says } of refusals)
    expect(await typed("time", ...words)).toEqual({ code: 1, out: "", err: `trimtab time: ${says}` });
});

test("of several clusters trimtab time chooses none, and says how to choose", async () => {
  await up({}, "--name=a", "--nodes=0");
  const home = folderWith();
  vi.stubEnv("HOME", home);
  const unnamed = path.join(home, ".trimtab", "kubeconfig");
  mkdirSync(path.dirname(unnamed));
  writeFileSync(unnamed, "");
  expect(await typed("time", "pause")).toMatchObject({
    code: 1,
    err: `trimtab time: there are several clusters: choose --name=a or --kubeconfig=${unnamed}`,
  });
});

test("time stays what it is while another program holds a Lease", async () => {
  const { client } = await up({}, "--name=a", "--nodes=0");
  await client.create(leases, {
    metadata: { name: "operator", namespace: "default" },
    spec: {
      holderIdentity: "operator-1",
      leaseDurationSeconds: 60,
      renewTime: formatMicroTime(new WallClock().now()),
    },
  });
  expect(await typed("time", "pause")).toEqual({
    code: 1,
    out: "",
    err:
      "trimtab time: the time of this cluster cannot be changed: operator-1 holds the Lease default/operator " +
      "by the wall clock",
  });
});

test("a cluster may start at another speed", async () => {
  const { out } = await up({}, "--name=a", "--speed=20", "--nodes=0");
  expect(out.join("\n")).toContain(", time passes 20 times as fast (");
  expect((await typed("time")).out).toContain("20 times as fast as the wall clock");
});
