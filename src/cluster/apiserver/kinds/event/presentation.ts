import type { Event as CoreEvent } from "../../../../api/generated/core-v1.ts";
import type { Event } from "../../../../api/generated/events-v1.ts";
import { type Instant, parseTime } from "../../../../api/time.ts";
import { ageSince, textOrEmpty } from "../../tables/cell-text.ts";
import {
  type TableCell,
  type Column,
  column,
  type TableDescription,
  wideColumn,
} from "../../tables/table-description.ts";
import type { KindPresentation, TypeDescriptions } from "../kind-presentation.ts";

const columns: readonly Column[] = [
  column("Last Seen", "How long ago this happened last."),
  column("Type", "Normal, or Warning."),
  column("Reason", "The reason, as one CamelCase word."),
  column("Object", "The object that the event is about."),
  wideColumn("Subobject", "The field of the object that the event is about."),
  wideColumn("Source", "The component that reported the event, and its host."),
  column("Message", "What happened, as a sentence."),
  wideColumn("First Seen", "How long ago this happened first."),
  wideColumn("Count", "How often this happened."),
  { ...wideColumn("Name", "The name of the event."), format: "name" },
];

/** The fields that the two event versions name differently. */
interface Particulars {
  readonly about: CoreEvent["involvedObject"] | undefined;
  readonly source: CoreEvent["source"] | undefined;
  readonly controller: string | undefined;
  readonly message: string | undefined;
  readonly firstSeen: string | undefined;
  readonly lastSeen: string | undefined;
  readonly count: number | undefined;
}

const coreEventTable: TableDescription<CoreEvent> = {
  columns,
  cells: (event, now) =>
    eventCells(event, now, {
      about: event.involvedObject,
      source: event.source,
      controller: event.reportingComponent,
      message: event.message,
      firstSeen: event.firstTimestamp,
      lastSeen: event.lastTimestamp,
      count: event.count,
    }),
};

const eventTable: TableDescription<Event> = {
  columns,
  cells: (event, now) =>
    eventCells(event, now, {
      about: event.regarding,
      source: event.deprecatedSource,
      controller: event.reportingController,
      message: event.note,
      firstSeen: event.deprecatedFirstTimestamp,
      lastSeen: event.deprecatedLastTimestamp,
      count: event.deprecatedCount,
    }),
};

function eventCells(event: CoreEvent | Event, now: Instant, particulars: Particulars): readonly TableCell[] {
  const { about } = particulars;
  const first = parseTime(particulars.firstSeen) ?? parseTime(event.eventTime);
  const last = parseTime(particulars.lastSeen) ?? first;
  return [
    ageSince(event.series ? parseTime(event.series.lastObservedTime) : last, now),
    textOrEmpty(event.type),
    textOrEmpty(event.reason),
    objectText(about),
    textOrEmpty(about?.fieldPath),
    sourceText(particulars, event.reportingInstance),
    textOrEmpty(particulars.message).trim(),
    ageSince(first, now),
    howOften(event, particulars),
    event.metadata.name,
  ];
}

// A single event has no count in the newer version.
function howOften({ series }: CoreEvent | Event, { count }: Particulars): number {
  return series?.count ?? (count || 1);
}

function objectText(about: Particulars["about"]): string {
  const kind = textOrEmpty(about?.kind).toLowerCase();
  return about?.name ? `${kind}/${about.name}` : kind;
}

function sourceText({ source, controller = "" }: Particulars, instance = ""): string {
  const component = source?.component || controller;
  const host = source?.host || instance;
  return host === "" ? component : `${component}, ${host}`;
}

const coreEventDescriptions: TypeDescriptions = {
  "core.v1.Event": {
    about: "A record of something that happened to an object.",
    fields: {
      involvedObject: "The object that the event is about.",
      reason: "The reason, as one CamelCase word.",
      message: "What happened, as a sentence.",
      source: "The component that reported the event.",
      firstTimestamp: "When it happened first.",
      lastTimestamp: "When it happened last.",
      count: "How often it happened.",
      type: "Normal, or Warning.",
      reportingComponent: "The controller that reported the event.",
    },
  },
};

const eventDescriptions: TypeDescriptions = {
  "events.v1.Event": {
    about: "A record of something that happened to an object.",
  },
};

/** Events of the core group. */
export const coreEventPresentation: KindPresentation = {
  table: coreEventTable,
  descriptions: coreEventDescriptions,
};

/** Events of `events.k8s.io`. */
export const eventPresentation: KindPresentation = { table: eventTable, descriptions: eventDescriptions };
