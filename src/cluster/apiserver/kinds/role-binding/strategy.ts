import { invalid, notSupported, required } from "../../../../api/field-error.ts";
import type { ClusterRoleBinding, RoleBinding, RoleRef, Subject } from "../../../../api/generated/rbac-v1.ts";
import { dns1123SubdomainProblems, pathSegmentProblems } from "../../../../api/names.ts";
import { semanticEqual } from "../../../../api/schema/semantic-equality.ts";
import { eachItem, fillAbsent, fillEmpty, mapMembers } from "../../../../api/defaulting.ts";
import { each, type FieldErrors, none, requiredText, wellFormed } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import type { Sent } from "../../../../api/sent.ts";

const rbac = "rbac.authorization.k8s.io";

type Binding = Sent<RoleBinding> | Sent<ClusterRoleBinding>;

/** The strategy of RoleBindings. */
export const roleBindingStrategy: KindStrategy<Binding> = bindingStrategy(["Role", "ClusterRole"]);

/** The strategy of ClusterRoleBindings. */
export const clusterRoleBindingStrategy: KindStrategy<Binding> = bindingStrategy(["ClusterRole"]);

function bindingStrategy(roleKinds: readonly string[]): KindStrategy<Binding> {
  const isNamespaced = roleKinds.includes("Role");
  return {
    nameProblems: pathSegmentProblems,
    unconditionalUpdate: true,
    createOnUpdate: true,
    defaults(object) {
      return mapMembers(fillAbsent(object, { roleRef: {} }), {
        roleRef: (roleRef) => fillEmpty(roleRef, { apiGroup: rbac }),
        subjects: eachItem(withGroup),
      });
    },
    validate({ roleRef = {}, subjects }) {
      return [
        ...validateRoleRef(roleRef, roleKinds),
        ...each(subjects, "subjects", (subject, at) => validateSubject(subject, at, isNamespaced)),
      ];
    },
    validateUpdate({ next, previous }) {
      const isSame = semanticEqual("rbac.v1.RoleRef", next.roleRef, previous.roleRef);
      return isSame ? none : [invalid("roleRef", next.roleRef, "cannot change roleRef")];
    },
  };
}

function withGroup(subject: Sent<Subject>): Sent<Subject> {
  return subject.kind === "User" || subject.kind === "Group"
    ? fillEmpty(subject, { apiGroup: rbac })
    : subject;
}

function validateRoleRef(
  { apiGroup = "", kind = "", name }: Sent<RoleRef>,
  kinds: readonly string[],
): FieldErrors {
  return [
    ...(apiGroup === rbac ? none : [notSupported("roleRef.apiGroup", apiGroup, [rbac])]),
    ...(kinds.includes(kind) ? none : [notSupported("roleRef.kind", kind, kinds)]),
    ...requiredText(name, "roleRef.name", pathSegmentProblems),
  ];
}

function validateSubject(subject: Sent<Subject>, path: string, isNamespaced: boolean): FieldErrors {
  const { kind = "", name, namespace = "", apiGroup = "" } = subject;
  const inGroup = (group: string) =>
    apiGroup === group ? none : [notSupported(`${path}.apiGroup`, apiGroup, [group])];
  const errors = requiredText(name, `${path}.name`);
  switch (kind) {
    case "ServiceAccount":
      return [
        ...errors,
        ...wellFormed(name, `${path}.name`, dns1123SubdomainProblems),
        ...inGroup(""),
        ...(isNamespaced || namespace !== "" ? none : [required(`${path}.namespace`)]),
      ];
    case "User":
    case "Group":
      return [...errors, ...inGroup(rbac)];
    default:
      return [...errors, notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  }
}
