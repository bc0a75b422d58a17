import type { Event } from "../../generated/core-v1.ts";
import { pathSegmentProblems } from "../../names.ts";
import type { Kind } from "../kind.ts";
import type { Sent } from "../sent.ts";
import { validateEventFields } from "./validate-event.ts";

/** Events in the core API. */
export const coreEventStrategy: Kind<Sent<Event>> = {
  names: pathSegmentProblems,
  validate(object) {
    const facts = {
      namespace: object.metadata?.namespace,
      involvedNamespace: object.involvedObject?.namespace,
      eventTime: object.eventTime,
      reportingController: object.reportingComponent,
      reportingInstance: object.reportingInstance,
      action: object.action,
      reason: object.reason,
      message: object.message,
    };
    return validateEventFields(facts, "reportingComponent");
  },
  selectableFields({ involvedObject, reason = "", type = "", source, reportingComponent = "" }) {
    return {
      ...referenceFields("involvedObject", involvedObject ?? {}),
      reason,
      reportingComponent,
      source: source?.component ?? reportingComponent,
      type,
    };
  },
  unconditionalUpdate: true,
  createOnUpdate: true,
};

/** The members of an object reference as field selectors know them. */
export function referenceFields(
  name: string,
  reference: Readonly<Partial<Record<(typeof members)[number], string>>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(members.map((member) => [`${name}.${member}`, reference[member] ?? ""]));
}

const members = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"] as const;
