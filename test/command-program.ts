import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { request } from "undici";
import type { StoredObject } from "../src/api/object.ts";
import type { Resource } from "../src/api/resource.ts";
import { allCommands } from "../src/cli/commands.ts";
import { runCommand } from "../src/cli/run-command.ts";
import type { ApiServerAccess } from "../src/cluster/apiserver/create-api-server.ts";
import { kubeconfigText } from "../src/cluster/write-kubeconfig.ts";
import type { Client } from "../src/machinery/client/client.ts";

const commands = await allCommands();

/** A command that runs against an embedded cluster in this process. */
export interface CommandProgram {
  /** `GET` of one of its pages. */
  readonly ask: (page: string) => Promise<{ readonly code: number; readonly text: string }>;
  /** Sends SIGHUP, as it were. */
  readonly hangUp: () => void;
  /** Interrupts it; resolves to the exit code. */
  readonly stop: () => Promise<number>;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Types a `trimtab` command; resolves when it says where operators look, or ends. */
export async function startCommand(...words: readonly string[]): Promise<CommandProgram> {
  const interrupt = new AbortController();
  const out: string[] = [];
  const err: string[] = [];
  const listeners = new Set<() => void>();
  let ended: Promise<number> = Promise.resolve(0);
  const url = await new Promise<string>((resolve) => {
    ended = runCommand(commands, [...words, "--port", "0", "--log-level", "error"], {
      out(text) {
        out.push(text);
        const [, found] = /decisions: (\S+)/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      },
      err: (text) => void err.push(text),
      interrupted: interrupt.signal,
      onHangUp(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    });
    void ended.then(() => resolve(""));
  });
  return {
    async ask(page) {
      const { statusCode, body } = await request(`${url}${page}`);
      return { code: statusCode, text: await body.text() };
    },
    hangUp: () => listeners.forEach((listener) => listener()),
    async stop() {
      interrupt.abort(new Error("enough"));
      return ended;
    },
    out,
    err,
  };
}

/** A folder with the kubeconfig of an embedded cluster. */
export function commandFolder(access: ApiServerAccess) {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-command-"));
  /** Writes a file and returns its path. */
  const write = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  return {
    kubeconfig: write("kubeconfig", kubeconfigText(access)),
    write,
    pathOf: (name: string) => path.join(folder, name),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Resolves with an object of the namespace `default` as soon as it is as it should be. */
export async function seen<T extends StoredObject>(
  client: Client,
  resource: Resource<T>,
  { name, is }: { readonly name: string; readonly is: (object: T) => boolean },
): Promise<T> {
  const enough = new AbortController();
  const query = {
    namespace: "default",
    fieldSelector: `metadata.name=${name}`,
    sendInitialEvents: true,
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: true,
  } as const;
  for await (const event of client.watch(resource, query, enough.signal)) {
    if (event.type !== "BOOKMARK" && event.type !== "DELETED" && is(event.object)) return event.object;
  }
  throw new Error(`${name} never was as it should be`);
}
