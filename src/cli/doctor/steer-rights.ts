import { readFileSync } from "node:fs";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import type { ResourceAttributes } from "../../api/generated/authorization-v1.ts";
import { subjectAccessReviews } from "../../api/resources.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Client } from "../../machinery/client/client.ts";
import { packageFolder } from "../installed-package.ts";
import { bad, type Finding, good, open } from "./finding.ts";

/** Whose rights, and which it needs. */
export interface RightsQuestion {
  /** Absent: it is not known. */
  readonly user: string | undefined;
  readonly name: string;
  readonly namespace: string;
  /** Whether it asks pod pickers, which takes more. */
  readonly asksPickers: boolean;
}

interface Role {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
  }[];
}

const title = "rights";

/** Asks the API server whether the user of steer has each right of the manifests; this writes nothing. */
export async function examineRights(
  client: Client,
  question: RightsQuestion,
  signal: AbortSignal,
): Promise<Finding> {
  const { user } = question;
  if (user === undefined)
    return open(title, "it is not known as whom steer runs: --steer-user=NAME says it", undefined);
  const needed = neededRights(question);
  const missing: string[] = [];
  try {
    for (const attributes of needed)
      if (!(await isAllowed(client, { user, attributes }, signal))) missing.push(sentenceOf(attributes));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return open(title, `the rights of ${user} cannot be asked about: ${error.message}`);
  }
  if (missing.length === 0) return good(title, `${user} has all ${needed.length} that it needs`);
  const shown =
    missing.slice(0, 3).join("; ") + (missing.length > 3 ? `; and ${missing.length - 3} more` : "");
  return bad(
    title,
    `${user} may not: ${shown}`,
    `trimtab install --print --image=IMAGE --namespace=${question.namespace} | kubectl apply -f -`,
  );
}

async function isAllowed(
  client: Client,
  { user, attributes }: { readonly user: string; readonly attributes: ResourceAttributes },
  signal: AbortSignal,
): Promise<boolean> {
  const spec = { user, groups: groupsOf(user), resourceAttributes: attributes };
  const review = await client.create(subjectAccessReviews, { metadata: {}, spec }, { signal });
  return review.status?.allowed === true;
}

/** The groups that every user, and every ServiceAccount, is in. */
function groupsOf(user: string): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):/.exec(user) ?? [];
  const own =
    namespace === undefined ? [] : ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
  return [...own, "system:authenticated"];
}

/** One entry for each verb on each resource of the roles in deploy/. */
function neededRights({ name, namespace, asksPickers }: RightsQuestion): readonly ResourceAttributes[] {
  const own = rolesIn("steer/cluster-role.yaml");
  const shared = rolesIn("cluster-role.yaml").filter(
    ({ metadata }) => metadata.name === "trimtab-pod-pickers",
  );
  return [...own, ...(asksPickers ? shared : [])].flatMap(({ kind, rules }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames = [undefined], verbs }) =>
      product(apiGroups, resources, verbs).flatMap(([group, resource, verb]) =>
        resourceNames.map((each) => ({
          group,
          resource,
          verb,
          ...(each !== undefined && { name: each.replace(/^trimtab-steer/, name) }),
          ...(kind === "Role" && { namespace }),
        })),
      ),
    ),
  );
}

function product(
  groups: readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
): readonly (readonly [string, string, string])[] {
  return groups.flatMap((group) =>
    resources.flatMap((resource) => verbs.map((verb) => [group, resource, verb] as const)),
  );
}

function rolesIn(file: string): readonly Role[] {
  const text = readFileSync(path.join(packageFolder(), "deploy", file), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS() as Role);
}

function sentenceOf({ verb, group, resource, name, namespace }: ResourceAttributes): string {
  const what = group === "" ? resource : `${resource}.${group}`;
  return `${verb} ${what}${name === undefined ? "" : ` ${name}`}${namespace === undefined ? "" : ` in ${namespace}`}`;
}
