/** An earlier commit of this repository beside this one: docs/upgrading.md says what holds. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { deployments, leases, pods } from "../../src/api/resources.ts";
import type { DoctorReport } from "../../src/cli/doctor/finding.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { clientOf, typed } from "../cli/type-command.ts";
import { startCommand } from "../command-program.ts";
import { web } from "../deployment/builders.ts";
import { compiled } from "../durable/compiled.ts";
import { makeNamespace, startEmbedded } from "../embedded-cluster.ts";
import { eventually } from "../real-cluster/eventually.ts";
import { freePort } from "../real-cluster/free-port.ts";
import { startProgram } from "../real-cluster/program.ts";
import { buildEarlier, type EarlierProgram, hasEarlierCommit } from "./earlier-commit.ts";

describe.skipIf(!hasEarlierCommit())("an earlier commit", () => {
  let earlier: EarlierProgram;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "trimtab-upgrade-"));
    earlier = await buildEarlier();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await earlier?.remove();
  });

  /** Starts `trimtab up` of one of the two with the same data directory, at the same port. */
  async function up(file: string, round: string, port: number) {
    const logs = path.join(folder, round);
    mkdirSync(logs);
    const kubeconfig = path.join(logs, "kubeconfig");
    const data = `--data-dir=${path.join(folder, "data")}`;
    const flags = [file, "up", "--nodes=2", data, `--port=${port}`, `--kubeconfig=${kubeconfig}`];
    const program = startProgram({ name: "up", file: process.execPath, flags, folder: logs });
    onTestFinished(() => program.stop("SIGKILL"));
    const client = await eventually("a cluster", async () => {
      try {
        const made = clientOf(kubeconfig);
        await made.list(pods, {});
        return made;
      } catch {
        return undefined; // there is no kubeconfig yet, or nobody listens
      }
    });
    return { client, stop: () => program.stop() };
  }

  test("makes a data directory that this one continues, and opens it again", async () => {
    const port = await freePort();
    const before = await up(earlier.file, "before", port);
    await before.client.create(deployments, { ...web({ replicas: 3 }) });
    const isAvailable = async () => {
      const found = await before.client.get(deployments, { namespace: "default", name: "web" });
      return found.status?.availableReplicas === 3 ? found.metadata.uid : undefined;
    };
    const uid = await eventually("three Pods", isAvailable);
    const names = async ({ client }: typeof before) =>
      (await client.list(pods, { namespace: "default" })).items.map(({ metadata }) => metadata.name);
    const made = await names(before);
    await before.stop();

    const after = await up(compiled("src/cli/main.ts"), "after", port);
    const at = { namespace: "default", name: "web" };
    expect((await after.client.get(deployments, at)).metadata.uid).toBe(uid);
    expect(await names(after)).toEqual(made);
    const body = { metadata: { annotations: { changed: "here" } } };
    await after.client.patch(deployments, at, { type: "merge", body });
    await after.stop();

    const back = await up(earlier.file, "back", port);
    const seen = await back.client.get(deployments, at);
    expect(seen.metadata).toMatchObject({ uid, annotations: { changed: "here" } });
    expect(await names(back)).toEqual(made);
    await back.stop();
  });

  test("steers beside this one, which goes on when it ends", async () => {
    const cluster = await startEmbedded();
    onTestFinished(() => cluster.stop());
    await makeNamespace(cluster.client, "trimtab");
    const kubeconfig = path.join(folder, "steered");
    writeFileSync(kubeconfig, kubeconfigText(cluster.access), { mode: 0o600 });
    const port = await freePort();
    const config = path.join(folder, "steering.yaml");
    const write = (at: number) =>
      writeFileSync(
        config,
        JSON.stringify({
          apiVersion: "trimtab.dev/v1alpha1",
          kind: "SteeringConfiguration",
          namespace: "trimtab",
          webhook: { url: `https://127.0.0.1:${port}`, port: at },
        }),
      );
    const holder = async () => {
      const lease = cluster.client.get(leases, { namespace: "trimtab", name: "trimtab-steer" });
      return (await lease.catch(() => undefined))?.spec?.holderIdentity || undefined;
    };
    write(port);
    const logs = path.join(folder, "old-steer");
    mkdirSync(logs);
    const flags = [earlier.file, "steer", "--config", config, "--kubeconfig", kubeconfig, "--port", "0"];
    const old = startProgram({ name: "steer", file: process.execPath, flags, folder: logs });
    onTestFinished(() => old.stop("SIGKILL"));
    const first = await eventually("the earlier one leads", holder);
    // Both are at one address, as behind a Service: this one takes it over when the earlier one ends.
    write(0);
    const waiting = await startCommand("steer", "--config", config, `--kubeconfig=${kubeconfig}`);
    expect(await holder()).toBe(first);
    await old.stop();
    await eventually("this one leads", async () => ((await holder()) === first ? undefined : await holder()));
    await waiting.stop();
    write(port);
    const steer = await startCommand("steer", "--config", config, `--kubeconfig=${kubeconfig}`);
    await eventually("this one leads", holder);
    const { out } = await typed("doctor", `--kubeconfig=${kubeconfig}`, "-o=json");
    expect((JSON.parse(out) as DoctorReport).healthy).toBe(true);
    await steer.stop();
  });
});
