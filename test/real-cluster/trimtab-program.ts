import { readFileSync } from "node:fs";
import { request } from "undici";
import { type Program, startProgram, untilReady } from "./program.ts";
import path from "node:path";
import { packageFolder } from "../../src/cli/installed-package.ts";

/** A `trimtab` command that serves diagnostics. */
export interface TrimtabProgram extends Program {
  /** `GET` of one of its pages. */
  readonly read: (page: string) => Promise<{ readonly code: number; readonly text: string }>;
}

export interface TrimtabOptions {
  /** `controllers`, `steer`, … */
  readonly command: string;
  readonly kubeconfig: string;
  readonly flags?: readonly string[];
  /** Where its log goes. */
  readonly folder: string;
}

/** Starts a command on any free port; resolves when it says where its diagnostics are. */
export async function startTrimtab({
  command,
  kubeconfig,
  flags = [],
  folder,
}: TrimtabOptions): Promise<TrimtabProgram> {
  const program = startProgram({
    name: `trimtab-${command}`,
    file: process.execPath,
    flags: [trimtabFile(), command, "--kubeconfig", kubeconfig, "--port", "0", ...flags],
    folder,
  });
  const said = () => /decisions: (\S+)/.exec(readFileSync(program.logFile, "utf8"))?.[1];
  await untilReady(program, async () => said() !== undefined);
  const url = said() ?? "";
  return {
    ...program,
    async read(page) {
      const { statusCode, body } = await request(url + page);
      return { code: statusCode, text: await body.text() };
    },
  };
}

/** The bundled program, as users run it: `npm run build:program` makes it. */
export const trimtabFile = (): string => path.join(packageFolder(), "dist/cli/main.js");
