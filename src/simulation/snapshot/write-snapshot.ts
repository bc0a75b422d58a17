import { stringify } from "yaml";
import { formatMicroTime } from "../../api/time.ts";
import { trimtabApiVersion } from "../../api/documents/document-schema.ts";
import { type Snapshot, snapshotKind } from "./snapshot.ts";

/** The snapshot as a document, the same for the same snapshot; `readSnapshot` reads it back. */
export function writeSnapshot(snapshot: Snapshot, format: "yaml" | "json"): string {
  const { takenAt, namespace, controllers, isAnonymised, objects } = snapshot;
  const document = {
    apiVersion: trimtabApiVersion,
    kind: snapshotKind,
    takenAt: formatMicroTime(takenAt),
    ...(namespace === undefined ? {} : { namespace }),
    ...(controllers === undefined ? {} : { controllers }),
    ...(isAnonymised ? { anonymised: true } : {}),
    objects,
  };
  if (format === "json") return `${JSON.stringify(document, undefined, 2)}\n`;
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
}
