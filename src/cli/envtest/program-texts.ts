import { apiServerFlags } from "./api-server-flag-table.ts";
import { parentVariable } from "./parent-process.ts";

/** Where Node and the programs are, which the files of the folder name. */
export interface ProgramPlaces {
  /** The program that runs JavaScript. */
  readonly node: string;
  /** The folder of `envtest-etcd.js` and `envtest-kube-apiserver.js`. */
  readonly bundles: string;
}

/** What `--help` of a program lists: suites look there for flags. */
interface Program {
  readonly name: "etcd" | "kube-apiserver";
  readonly version: string;
  readonly flags: readonly string[];
}

/**
 * Flags of V8: a suite starts an environment for each of its packages, so that less memory is worth some speed. Together they save a
 * quarter of what an API server takes for itself after its start, and cost it a seventh more processor time under load.
 */
const nodeFlags = "--max-semi-space-size=2 --optimize-for-size";

/** The programs, with the flags that suites look for: `insecure-port` of kube-apiserver must not be there. */
export const programs = (kubernetes: string): readonly Program[] => [
  {
    name: "etcd",
    version: "etcd Version: 3.6.0",
    flags: ["advertise-client-urls", "data-dir", "listen-client-urls", "listen-peer-urls", "unsafe-no-fsync"],
  },
  {
    name: "kube-apiserver",
    version: `Kubernetes v${kubernetes}`,
    flags: [...apiServerFlags].filter(([, { use }]) => use === "read").map(([name]) => name),
  },
];

/** Returns a program for `/bin/sh`: Node takes its place, so that signals arrive. */
export function shellText({ name, version, flags }: Program, { node, bundles }: ProgramPlaces): string {
  return [
    "#!/bin/sh",
    'for word in "$@"; do',
    '  case "$word" in',
    `    --help) cat <<'END'`,
    ...helpOf(name, flags),
    "END",
    "      exit 0 ;;",
    `    --version) echo ${quoted(version)}; exit 0 ;;`,
    "  esac",
    "done",
    `${parentVariable}=$PPID`,
    `NODE_COMPILE_CACHE=\${0%/*}/compiled`,
    `export ${parentVariable} NODE_COMPILE_CACHE`,
    `exec ${quoted(node)} ${nodeFlags} ${quoted(`${bundles}/envtest-${name}.js`)} "$@"`,
    "",
  ].join("\n");
}

const helpOf = (name: string, flags: readonly string[]) => [
  `${name}: a stand-in of trimtab. The flags that are read:`,
  "",
  ...flags.map((flag) => `  --${flag}`),
];

/** Quotes a word for `/bin/sh`. */
const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** Returns a program for `cmd.exe`. */
export function windowsText({ name, version, flags }: Program, { node, bundles }: ProgramPlaces): string {
  const lines = helpOf(name, flags).map((line) => (line === "" ? "echo." : `echo ${line}`));
  return [
    "@echo off",
    'if "%~1"=="--help" goto help',
    'if "%~1"=="--version" goto version',
    `"${node}" ${nodeFlags} "${bundles}\\envtest-${name}.js" %*`,
    "exit /b %ERRORLEVEL%",
    ":help",
    ...lines,
    "exit /b 0",
    ":version",
    `echo ${version}`,
    "exit /b 0",
    "",
  ].join("\r\n");
}

/** Returns `kubectl` for `/bin/sh`: the one on the PATH, or a sentence. */
export function shellKubectl(): string {
  return [
    "#!/bin/sh",
    "IFS=:",
    "for folder in $PATH; do",
    // Not this file itself, under whatever name its folder is on the PATH.
    '  if [ -x "$folder/kubectl" ] && ! [ "$folder/kubectl" -ef "$0" ]; then exec "$folder/kubectl" "$@"; fi',
    "done",
    "echo 'kubectl: trimtab envtest brings none, and there is none on the PATH' >&2",
    "exit 127",
    "",
  ].join("\n");
}

/** Returns `kubectl` for `cmd.exe`. */
export function windowsKubectl(): string {
  return [
    "@echo off",
    'for %%F in (kubectl.exe) do if not "%%~$PATH:F"=="" (',
    '  "%%~$PATH:F" %*',
    "  exit /b",
    ")",
    "echo kubectl: trimtab envtest brings none, and there is none on the PATH 1>&2",
    "exit /b 1",
    "",
  ].join("\r\n");
}
