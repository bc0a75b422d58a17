import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Status } from "../../src/api/generated/meta-v1.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";
import { type Answered, type Call, type HttpsCaller, httpsCaller } from "../https-caller.ts";

export const configMaps = "/api/v1/namespaces/default/configmaps";
export const pods = "/api/v1/namespaces/default/pods";
export const deployments = "/apis/apps/v1/namespaces/default/deployments";

export interface HostileTestCluster {
  readonly cluster: () => EmbeddedCluster;
  readonly call: (what: string, call?: Call) => Promise<Answered>;
  readonly caller: () => HttpsCaller;
}

/** One case of a table: what is sent, and the expected response. */
export interface HostileRequest extends Call {
  readonly name: string;
  readonly what: string;
  readonly code: number;
  /** Absent when the request succeeds. */
  readonly reason?: string;
  /** In the message of the Status. */
  readonly says?: string | RegExp;
}

/**
 * A cluster for the hostile requests of a file. After each of them it still serves other clients, has logged no error,
 * and the prototypes of the process are unchanged.
 */
export function hostileTestCluster(clock?: Clock): HostileTestCluster {
  let cluster: EmbeddedCluster;
  let caller: HttpsCaller;
  beforeAll(async () => {
    cluster = await startEmbedded({ ...(clock !== undefined && { clock }) });
    caller = httpsCaller(cluster.access);
  });
  afterEach(async () => {
    expect((await caller.call("GET /readyz")).code).toBe(200);
    expect((await caller.call(`GET ${configMaps}/kube-root-ca.crt`)).code).toBe(200);
    expect(cluster.log.entries.filter(({ level }) => level === "error")).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
  afterAll(async () => {
    caller.close();
    await cluster.stop();
  });
  return { cluster: () => cluster, caller: () => caller, call: (what, call) => caller.call(what, call) };
}

/** Sends the request of a case and compares the response. */
export async function expectResponse(
  fixture: HostileTestCluster,
  { name: _name, what, code, reason, says, ...call }: HostileRequest,
) {
  const answer = await fixture.call(what, call);
  expect({ code: answer.code, text: answer.code === code ? "" : answer.text }).toEqual({ code, text: "" });
  if (reason === undefined) return;
  const status = JSON.parse(answer.text) as Status;
  expect(status).toMatchObject({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason });
  expect(status.message).toMatch(says ?? /./);
  // No internals: no stack, no file name.
  expect(answer.text).not.toMatch(/\n\s+at |\.ts:\d|node:internal/);
}
