import type { Resource } from "../../../api/resource.ts";
import type { TableCell } from "./table-description.ts";

/** A minimal object and the cells of its row. */
export interface TableCase {
  readonly name: string;
  readonly of: Pick<Resource, "group" | "version" | "kind">;
  readonly object: object;
  /** All cells after the name, with the age as `AGE`. */
  readonly want: readonly TableCell[];
}

export const v1 = (kind: string) => ({ group: "", version: "v1", kind });
export const apps = (kind: string) => ({ group: "apps", version: "v1", kind });
export const grouped = (group: string, kind: string, version = "v1") => ({ group, version, kind });

export const template = {
  spec: {
    containers: [
      { name: "web", image: "nginx:1" },
      { name: "log", image: "tail:2" },
    ],
  },
};
export const selector = {
  matchLabels: { app: "web" },
  matchExpressions: [{ key: "tier", operator: "In", values: ["b", "a"] }],
};
export const target = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
