import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { buildControllerRuntimeSuites, buildSession, type Suite } from "../test/operators/build-suites.ts";
import { bundlePrograms } from "../test/operators/bundled-program.ts";
import { startSession } from "../test/operators/envtest-session.ts";
import { essentialPackages } from "../test/operators/controller-runtime-packages.ts";
import { runSuite } from "../test/operators/run-suite.ts";
import { missingControlPlane } from "../test/real-cluster/real-cluster.ts";
import { type Measure, percentile } from "./measure.ts";

const rounds = 5;
const crowd = 8;

/**
 * `trimtab envtest` beside the real etcd and kube-apiserver: how long a program waits for `Start()` and `Stop()` of envtest, and the
 * memory of both programs then; the same for eight environments at once; and the tests of some packages of controller-runtime, once.
 */
export async function envtest(): Promise<readonly Measure[]> {
  const problem = missingControlPlane();
  const session = await buildSession();
  const suites = await buildControllerRuntimeSuites(essentialPackages.map(({ name }) => name));
  const missing = problem ?? ("missing" in session ? session.missing : undefined);
  if (missing !== undefined || "missing" in session || "missing" in suites) {
    console.error(`envtest: ${missing ?? ("missing" in suites ? suites.missing : "")}`);
    return [];
  }
  console.error(`envtest: load average ${loadavg()[0]?.toFixed(1)}`);
  const ours = await bundlePrograms();
  const theirs = realPrograms();
  try {
    const sessions = await sessionsOf(session.program, { ours: ours.assets, theirs });
    return [
      ...sessionMeasures(sessions),
      ...(await crowdMeasures(session.program, { ours: ours.assets, theirs })),
      ...(await suiteMeasures(suites.suites, { ours: ours.assets, theirs })),
    ];
  } finally {
    ours.remove();
    rmSync(theirs, { recursive: true });
  }
}

/** A folder as envtest wants it: the programs of the real control plane, and a kubectl that nobody calls. */
function realPrograms(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-bench-envtest-"));
  const binaries = process.env["TRIMTAB_CONTROL_PLANE"] ?? "";
  for (const name of ["etcd", "kube-apiserver"])
    symlinkSync(path.join(binaries, name), path.join(folder, name));
  symlinkSync("/bin/false", path.join(folder, "kubectl"));
  return folder;
}

interface Sides<Value> {
  readonly ours: Value;
  readonly theirs: Value;
}

interface Session {
  readonly startMs: number;
  readonly stopMs: number;
  readonly serverMb: number;
  readonly etcdMb: number;
}

/** By turns, so that both have the same machine; the first of each, which reads the programs from disk, is left out. */
async function sessionsOf(program: string, assets: Sides<string>): Promise<Sides<readonly Session[]>> {
  const ours: Session[] = [];
  const theirs: Session[] = [];
  for (let index = 0; index <= rounds; index++) {
    ours.push(await sessionOf(program, assets.ours));
    theirs.push(await sessionOf(program, assets.theirs));
  }
  return { ours: ours.slice(1), theirs: theirs.slice(1) };
}

async function sessionOf(program: string, assets: string): Promise<Session> {
  const { startMs, memory: measured, stop } = await startSession(program, assets);
  const memory = measured();
  return {
    startMs,
    stopMs: await stop(),
    serverMb: memory.get("kube-apiserver")?.residentMb ?? Number.NaN,
    etcdMb: memory.get("etcd")?.residentMb ?? Number.NaN,
  };
}

function sessionMeasures({ ours, theirs }: Sides<readonly Session[]>): readonly Measure[] {
  const rows = [
    { what: "Start()", unit: "ms", of: (each: Session) => each.startMs, bar: 5, goal: 10 },
    { what: "Stop()", unit: "ms", of: (each: Session) => each.stopMs },
    { what: "memory of kube-apiserver", unit: "MB", of: (each: Session) => each.serverMb },
    { what: "memory of etcd", unit: "MB", of: (each: Session) => each.etcdMb },
    { what: "memory of both", unit: "MB", of: (each: Session) => each.serverMb + each.etcdMb, bar: 5 },
  ] as const;
  return rows.flatMap(({ what, unit, of, ...times }) => {
    const [real, value] = [theirs, ours].map((sessions) => percentile(sessions.map(of), 0.5));
    return [
      { what: `${what}, real programs`, value: real ?? Number.NaN, unit },
      {
        what: `${what}, trimtab envtest`,
        value: value ?? Number.NaN,
        unit,
        ...("bar" in times && { bar: (real ?? Number.NaN) / times.bar }),
        ...("goal" in times && { goal: (real ?? Number.NaN) / times.goal }),
      },
    ];
  });
}

/** Environments that are started at once, and run side by side. What they share counts once. */
async function crowdMeasures(program: string, assets: Sides<string>): Promise<readonly Measure[]> {
  const [real, ours] = [await crowdOf(program, assets.theirs), await crowdOf(program, assets.ours)];
  const what = `${crowd} environments at once`;
  return [
    { what: `${what}, real programs: all started`, value: real.startMs, unit: "ms" },
    { what: `${what}, trimtab envtest: all started`, value: ours.startMs, unit: "ms" },
    { what: `${what}, real programs: memory`, value: real.memoryMb, unit: "MB" },
    { what: `${what}, trimtab envtest: memory`, value: ours.memoryMb, unit: "MB", bar: real.memoryMb / 5 },
  ];
}

async function crowdOf(program: string, assets: string) {
  const start = performance.now();
  const sessions = await Promise.all(Array.from({ length: crowd }, () => startSession(program, assets)));
  const startMs = performance.now() - start;
  const memoryMb = sessions
    .flatMap(({ memory }) => [...memory().values()])
    .reduce((sum, { shareMb }) => sum + shareMb, 0);
  await Promise.all(sessions.map(({ stop }) => stop()));
  return { startMs, memoryMb };
}

async function suiteMeasures(suites: readonly Suite[], assets: Sides<string>): Promise<readonly Measure[]> {
  const measures: Measure[] = [];
  const total = { theirs: 0, ours: 0 };
  for (const suite of suites) {
    const theirs = await timed(suite, assets.theirs);
    const ours = await timed(suite, assets.ours);
    total.theirs += theirs;
    total.ours += ours;
    measures.push(...besides(`tests of controller-runtime's ${suite.name}`, theirs, ours));
  }
  return [...measures, ...besides("tests of these packages", total.theirs, total.ours)];
}

const besides = (what: string, theirs: number, ours: number): readonly Measure[] => [
  { what: `${what}, real programs`, value: theirs, unit: "ms" },
  { what: `${what}, trimtab envtest`, value: ours, unit: "ms", bar: theirs, goal: theirs / 2 },
];

async function timed(suite: Suite, assets: string): Promise<number> {
  const skipped = essentialPackages.flatMap(({ name, skipped: left = {} }) =>
    name === suite.name ? Object.keys(left) : [],
  );
  const start = performance.now();
  const { passed, failed } = await runSuite(suite, { assets, skipped });
  console.error(`envtest: ${suite.name}: ${passed} passed, ${failed} failed`);
  return performance.now() - start;
}
