import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { isJsonObject } from "../../api/json.ts";
import { messageOf } from "../../api/message-of.ts";
import { parseJson } from "../../api/parse-json.ts";
import {
  isLockFile,
  lockDirectory,
  type LockOwner,
  lockOwner,
} from "../../cluster/data-directory/process-lock.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import { replaceFile } from "../../cluster/replace-file.ts";
import { readTextFile } from "../../machinery/client/connection/text-file.ts";
import { ownHomeFolder } from "../up/home-folder.ts";

/** What a running cluster tells other commands about itself. */
export interface ClusterRecord {
  readonly name: string;
  readonly pid: number;
  readonly url: string;
  readonly kubeconfig: string;
  readonly context: string;
  /** `12 nodes in 3 zones`. */
  readonly nodes: string;
  /** When it was started, as RFC 3339. */
  readonly startedAt: string;
  readonly dataDirectory?: string;
  /** Where its page is; a link opens it. */
  readonly page?: string;
  /** Where it writes its log lines, if it runs in the background. */
  readonly log?: string;
  /** How it was started, to start it again. */
  readonly words: readonly string[];
  readonly workingDirectory: string;
}

/**
 * A cluster that was started under a name. `ended`: its process was killed, or the machine restarted, before it could
 * forget its name.
 */
export type NamedCluster =
  | {
      readonly state: "running";
      readonly name: string;
      readonly owner: LockOwner;
      readonly record: ClusterRecord;
    }
  | { readonly state: "starting"; readonly name: string; readonly owner: LockOwner }
  | { readonly state: "ended"; readonly name: string; readonly record: ClusterRecord | undefined };

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the state of programs is kept (XDG Base Directory Specification). */
function stateFolder(env: Environment): string {
  const given = env["XDG_STATE_HOME"] ?? "";
  return path.join(
    path.isAbsolute(given) ? given : path.join(ownHomeFolder(), ".local", "state"),
    "trimtab",
    "clusters",
  );
}

/** The folder of one cluster: its record, its kubeconfig, and the log of one that runs in the background. */
export function clusterFolder(name: string, env: Environment): string {
  return path.join(stateFolder(env), name);
}

const recordName = "cluster.json";

/** A name that this process holds. */
export interface ClaimedName {
  readonly publish: (record: Omit<ClusterRecord, "name" | "pid">) => void;
  /** Forgets the cluster and everything in its folder. */
  readonly release: () => void;
}

/** Takes a name for this process; throws one sentence when another has it. */
export function claimClusterName(name: string, env: Environment): ClaimedName {
  return claim(name, env, "cannot start the cluster");
}

/** The name of the cluster that was started without one and with the usual kubeconfig, as `npm start` does. */
export const usualName = "trimtab";

function claim(name: string, env: Environment, refusal: string): ClaimedName {
  const folder = clusterFolder(name, env);
  const unlock = lockNamed(folder, `${refusal} ${name}`);
  rmSync(path.join(folder, recordName), { force: true }); // of a process that has ended
  return {
    publish: (record) =>
      replaceFile(
        path.join(folder, recordName),
        `${JSON.stringify({ name, pid: process.pid, ...record }, undefined, 2)}\n`,
      ),
    release: () => {
      // The lock goes last, and the folder only when it is empty: another process may take the name as soon as it is free.
      const files = existsSync(folder) ? readdirSync(folder) : [];
      for (const file of files.filter((each) => !isLockFile(each)))
        rmSync(path.join(folder, file), { recursive: true, force: true });
      unlock();
      removeIfEmpty(folder);
    },
  };
}

/** Retries, since a process that claims a name while another claims or releases it may find a lock without an owner. */
const attempts = 5;

function lockNamed(folder: string, refusal: string): () => void {
  for (let attempt = 1; ; attempt++) {
    try {
      makeFolder(folder);
      return lockDirectory(folder);
    } catch (error) {
      const owner = lockOwner(folder);
      if (owner === undefined && attempt < attempts) continue;
      const why = owner === undefined ? messageOf(error) : `process ${owner.pid} runs it already`;
      throw new Error(`${refusal}: ${why}`, { cause: error });
    }
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOTEMPTY" && code !== "EEXIST" && code !== "ENOENT") throw error;
  }
}

/** Forgets a cluster whose process has ended; throws one sentence when a process has its name. */
export function forgetCluster(name: string, env: Environment): void {
  claim(name, env, "cannot forget the cluster").release();
}

/** Every cluster that was started under a name and not stopped, by name. */
export function listClusters(env: Environment): readonly NamedCluster[] {
  const folder = stateFolder(env);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .flatMap((name) => findCluster(name, env) ?? []);
}

/** The cluster of a name; `undefined` when there is none. */
export function findCluster(name: string, env: Environment): NamedCluster | undefined {
  const folder = clusterFolder(name, env);
  if (!existsSync(folder)) return undefined;
  const owner = lockOwner(folder);
  const record = readRecord(path.join(folder, recordName));
  if (owner === undefined) return { state: "ended", name, record };
  // A record of another process was left by an earlier one.
  return record?.pid === owner.pid
    ? { state: "running", name, owner, record }
    : { state: "starting", name, owner };
}

function readRecord(file: string): ClusterRecord | undefined {
  const read = readTextFile(file); // which its process may be removing
  const parsed = read.ok ? parseJson(read.text) : read;
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const { pid, url, kubeconfig, words } = parsed.value;
  const isRecord =
    typeof pid === "number" &&
    typeof url === "string" &&
    typeof kubeconfig === "string" &&
    Array.isArray(words);
  // Written by `publish` of this or another version; the fields that commands need were checked above.
  return isRecord ? (parsed.value as unknown as ClusterRecord) : undefined;
}

type FoundCluster =
  | { readonly ok: true; readonly cluster: NamedCluster }
  | { readonly ok: false; readonly problem: string };

/** The cluster of a name, or the only one there is where no name is given. */
export function chooseCluster(names: readonly string[], env: Environment): FoundCluster {
  if (names.length > 1) return { ok: false, problem: "one NAME at a time" };
  const known = listClusters(env);
  const [wanted] = names;
  const chosen = wanted === undefined ? known : known.filter(({ name }) => name === wanted);
  const [cluster] = chosen;
  if (cluster !== undefined && chosen.length === 1) return { ok: true, cluster };
  const others =
    known.length === 0 ? "none is running" : `there are ${known.map(({ name }) => name).join(", ")}`;
  const what =
    wanted === undefined ? "name a cluster" : `there is no cluster named ${JSON.stringify(wanted)}`;
  return { ok: false, problem: `${what}: ${others}` };
}
