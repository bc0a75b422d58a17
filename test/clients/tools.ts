import path from "node:path";
import { fileURLToPath } from "node:url";
import { type BuiltTool, buildTool } from "./tool-cache.ts";

const sources = (name: string) => fileURLToPath(new URL(name, import.meta.url));

interface GoTool {
  readonly name: string;
  readonly module: string;
  readonly build: string;
  readonly tags?: string;
}

const buildGo = ({ name, module, build, tags }: GoTool) =>
  buildTool({
    name,
    sources: sources(module),
    version: ["go", "version"],
    build: [
      ["go", "build", "-p", "1", ...(tags === undefined ? [] : ["-tags", tags]), "-o", "program", build],
    ],
  });

/** The file that a Go tool is. */
export const programIn = (folder: string): string => path.join(folder, "program");

/** Helm 3 and 4, built from their Go modules; both are in wide use. */
export const buildHelm = (major: 3 | 4): Promise<BuiltTool> =>
  buildGo({ name: `helm${major}`, module: "helm", build: `helm.sh/helm/v${major}/cmd/helm` });

/** A program of ours with client-go. */
export const buildClientGo = (): Promise<BuiltTool> =>
  buildGo({ name: "client-go", module: "go", build: "./client-go" });

/** A program of ours with controller-runtime. */
export const buildControllerRuntime = (): Promise<BuiltTool> =>
  buildGo({ name: "controller-runtime", module: "go", build: "./controller-runtime" });

/** A program of ours with Prometheus' own parser. */
export const buildPromql = (): Promise<BuiltTool> =>
  buildGo({ name: "promql", module: "promql", build: "." });

/** Prometheus itself, without the clouds it could discover targets in: a Go build of about two minutes of processor time. */
export const buildPrometheus = (): Promise<BuiltTool> =>
  buildGo({
    name: "prometheus",
    module: "prometheus",
    build: "github.com/prometheus/prometheus/cmd/prometheus",
    tags: "remove_all_sd",
  });

/** The official Python client, in an environment of its own. */
export const buildPythonClient = (): Promise<BuiltTool> =>
  buildTool({
    name: "python",
    sources: sources("python"),
    version: ["python3", "--version"],
    build: [
      ["python3", "-m", "venv", "env"],
      ["env/bin/python", "-m", "pip", "install", "--quiet", "--requirement", "requirements.txt"],
    ],
  });

/** The Java client fabric8, and a program of ours with it. */
export const buildFabric8 = (): Promise<BuiltTool> =>
  buildTool({
    name: "fabric8",
    sources: sources("fabric8"),
    version: ["java", "--version"],
    build: [
      ["mvn", "--batch-mode", "--quiet", "dependency:copy-dependencies", "-DoutputDirectory=lib"],
      ["javac", "-cp", "lib/*", "-d", "classes", "Client.java"],
    ],
  });
