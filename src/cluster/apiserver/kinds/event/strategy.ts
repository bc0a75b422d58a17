import { invalid, required } from "../../../../api/field-error.ts";
import type { Event as CoreEvent } from "../../../../api/generated/core-v1.ts";
import type { Event } from "../../../../api/generated/events-v1.ts";
import { pathSegmentProblems } from "../../../../api/names.ts";
import { type FieldErrors, immutableField, none } from "../../../../api/field-checks.ts";
import type { KindStrategy } from "../kind-strategy.ts";
import { equalField } from "../../../../api/schema/semantic-equality.ts";
import type { Sent } from "../../../../api/sent.ts";
import { validateEventFields } from "./validate-event.ts";

/** The strategy of core Events. */
export const coreEventStrategy: KindStrategy<Sent<CoreEvent>> = {
  nameProblems: pathSegmentProblems,
  validate(object) {
    const fields = {
      namespace: object.metadata?.namespace,
      involvedNamespace: object.involvedObject?.namespace,
      eventTime: object.eventTime,
      reportingController: object.reportingComponent,
      reportingInstance: object.reportingInstance,
      action: object.action,
      reason: object.reason,
      message: object.message,
    };
    return validateEventFields(fields, "reportingComponent");
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

/** Returns the fields of an object reference that field selectors support. */
function referenceFields(
  name: string,
  reference: Readonly<Partial<Record<(typeof members)[number], string>>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(members.map((member) => [`${name}.${member}`, reference[member] ?? ""]));
}

const members = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"] as const;

/** The strategy of Events in `events.k8s.io`: updates may only change the series. */
export const eventStrategy: KindStrategy<Sent<Event>> = {
  validate(object, _context, stored) {
    const fields = {
      namespace: object.metadata?.namespace,
      involvedNamespace: object.regarding?.namespace,
      eventTime: object.eventTime,
      reportingController: object.reportingController,
      reportingInstance: object.reportingInstance,
      action: object.action,
      reason: object.reason,
      message: object.note,
    };
    const errors = validateEventFields(fields, "reportingController");
    return stored === undefined ? [...errors, ...validateNewEvent(object)] : errors;
  },
  validateUpdate({ next, previous }) {
    return [
      ...(equalField("events.v1.Event", [next, previous], "series") ? none : validateSeries(next)),
      ...immutableFields.flatMap(({ member, path }) =>
        equalField("events.v1.Event", [next, previous], member) ? none : [immutableField(path, next[member])],
      ),
    ];
  },
  selectableFields({ regarding, reason = "", reportingController = "", type = "" }) {
    return { ...referenceFields("regarding", regarding ?? {}), reason, reportingController, type };
  },
  unconditionalUpdate: true,
  createOnUpdate: true,
};

// upstream reports these fields under their core names in both groups
const immutableFields: readonly { readonly member: keyof Event; readonly path: string }[] = [
  { member: "regarding", path: "involvedObject" },
  { member: "reason", path: "reason" },
  { member: "note", path: "message" },
  { member: "type", path: "type" },
  { member: "eventTime", path: "eventTime" },
  { member: "action", path: "action" },
  { member: "related", path: "related" },
  { member: "reportingController", path: "reportingController" },
  { member: "reportingInstance", path: "reportingInstance" },
];

const deprecatedFields: readonly { readonly member: keyof Event; readonly path: string }[] = [
  { member: "deprecatedFirstTimestamp", path: "firstTimestamp" },
  { member: "deprecatedLastTimestamp", path: "lastTimestamp" },
  { member: "deprecatedCount", path: "count" },
];

function validateNewEvent(object: Sent<Event>): FieldErrors {
  const { type = "", eventTime, deprecatedSource = {} } = object;
  const isKnown = type === "Normal" || type === "Warning";
  const hasSource = Object.keys(deprecatedSource).length > 0;
  return [
    ...validateSeries(object),
    ...(eventTime === undefined ? [required("eventTime")] : none),
    ...(isKnown ? none : [invalid("type", "", `has invalid value: ${type}`)]),
    ...deprecatedFields
      .filter(({ member }) => object[member] !== undefined)
      .map(({ path }) => invalid(path, "", "needs to be unset")),
    ...(hasSource ? [invalid("source", "", "needs to be unset")] : none),
  ];
}

function validateSeries({ series }: Sent<Event>): FieldErrors {
  if (series === undefined) return none;
  return [
    ...((series.count ?? 0) < 2 ? [invalid("series.count", "", "should be at least 2")] : none),
    ...(series.lastObservedTime === undefined ? [required("series.lastObservedTime")] : none),
  ];
}
