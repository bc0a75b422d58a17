import type { JsonObject } from "../../api/json.ts";
import { failure } from "../command-failure.ts";
import type { Context } from "../context.ts";
import type { LineFlags } from "../line/flag.ts";
import { findType } from "../selection/find-type.ts";
import type { Generator } from "./generator.ts";

const rbac = "rbac.authorization.k8s.io";

const ruleFlags: LineFlags = {
  verb: { type: "list" },
  resource: { type: "list" },
  "resource-name": { type: "array" },
};

/** A rule for each group of the resources. */
async function rulesOf(context: Context): Promise<readonly JsonObject[]> {
  const resources = await context.server.resources();
  const verbs = [...new Set(context.list("verb"))];
  const names = context.list("resource-name");
  if (verbs.length === 0) throw failure("at least one verb must be specified");
  if (context.list("resource").length === 0) throw failure("at least one resource must be specified");
  const byGroup = new Map<string, string[]>();
  for (const word of context.list("resource")) {
    const [type = "", sub] = word.split("/");
    const { plural, group } = findType(resources, type);
    byGroup.set(group, [...(byGroup.get(group) ?? []), sub === undefined ? plural : `${plural}/${sub}`]);
  }
  return [...byGroup].map(([group, plurals]) => ({
    verbs,
    apiGroups: [group],
    resources: plurals,
    ...(names.length > 0 && { resourceNames: names }),
  }));
}

function role(kind: string): Generator {
  return {
    summary: `Create a ${kind === "Role" ? "role" : "cluster role"} with single rule`,
    isClusterWide: kind === "ClusterRole",
    failing: `failed to create ${kind.toLowerCase()}`,
    flags: ruleFlags,
    build: async (context, name) => ({
      kind,
      apiVersion: `${rbac}/v1`,
      metadata: { name },
      rules: await rulesOf(context),
    }),
  };
}

function binding(kind: string): Generator {
  const isClusterWide = kind === "ClusterRoleBinding";
  return {
    summary: `Create a ${isClusterWide ? "cluster role" : "role"} binding for a particular role`,
    isClusterWide,
    failing: `failed to create ${kind.toLowerCase()}`,
    flags: {
      role: { type: "string" },
      clusterrole: { type: "string" },
      user: { type: "array" },
      group: { type: "array" },
      serviceaccount: { type: "array" },
    },
    build(context, name) {
      const [roleName, clusterRole] = [context.text("role"), context.text("clusterrole")];
      if ((roleName === "") === (clusterRole === ""))
        throw failure("exactly one of clusterrole or role must be specified");
      return {
        kind,
        apiVersion: `${rbac}/v1`,
        metadata: { name },
        subjects: subjectsOf(context),
        roleRef:
          roleName === ""
            ? { apiGroup: rbac, kind: "ClusterRole", name: clusterRole }
            : { apiGroup: rbac, kind: "Role", name: roleName },
      };
    },
  };
}

function subjectsOf(context: Context): readonly JsonObject[] {
  const named = (kind: string, flag: string) =>
    context.list(flag).map((name) => ({ kind, apiGroup: rbac, name }));
  const accounts = context.list("serviceaccount").map((text) => {
    const [namespace = "", name] = text.split(":");
    if (name === undefined) throw failure("serviceaccount must be <namespace>:<name>");
    return { kind: "ServiceAccount", name, namespace };
  });
  return [...named("User", "user"), ...named("Group", "group"), ...accounts];
}

export const accessGenerators = {
  role: role("Role"),
  clusterrole: role("ClusterRole"),
  rolebinding: binding("RoleBinding"),
  clusterrolebinding: binding("ClusterRoleBinding"),
};
