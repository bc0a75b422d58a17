import type { JsonObject } from "../../api/json.ts";
import { schemaTable } from "../../api/schema/table.ts";

/** The patch release of Kubernetes whose behaviour this follows. */
const patchRelease = 4;

/** The release of Kubernetes whose behaviour this follows, such as `1.36.4`. */
export function kubernetesVersion(): string {
  return `${schemaTable().kubernetes}.${patchRelease}`;
}

/** Returns the answer to `/version` of a version of the product, on a platform such as `linux/amd64`. */
export function versionInfo(platform: string, product = "0.0.0"): JsonObject {
  const [major = "", minor = ""] = kubernetesVersion().split(".");
  return {
    major,
    minor,
    gitVersion: `v${kubernetesVersion()}-trimtab.${product}`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "none",
    compiler: "node",
    platform,
  };
}
