import { deepEqual } from "../../../api/deep-equal.ts";
import type { CustomResourceDefinition } from "../../../api/generated/apiextensions-v1.ts";
import type { Logger } from "../../../machinery/log/logger.ts";
import { schemaTable } from "../../../api/schema/table.ts";
import type { Store, StoreEvent } from "../../store/store.ts";
import type { KindRegistry, ServedKind } from "../kind-registry.ts";
import { type ConversionOptions, objectConverter } from "./conversion/object-converter.ts";
import { customKind, type VersionsHolder } from "./custom-kind.ts";
import { isEstablished } from "./definition-conditions.ts";
import { definitionIn, definitionsCollection } from "./definition-controller.ts";

/** What custom kinds are served from, and where. */
export interface CustomKindServing {
  readonly store: Store;
  readonly kinds: KindRegistry;
  readonly log: Logger;
  /** How objects are converted by webhooks. */
  readonly conversion: ConversionOptions;
}

interface Serving {
  readonly definition: CustomResourceDefinition;
  readonly kind: ServedKind;
  readonly versions: VersionsHolder;
}

/**
 * Registers the kinds of all established definitions, those that are stored already and those to come; the returned
 * function ends that. The store calls back in the order of its subscribers: who hears from it afterwards that a definition
 * is established finds its kind served.
 */
export function serveCustomKinds({ store, kinds, log, conversion }: CustomKindServing): () => void {
  const serving = new Map<string, Serving>();
  const definitions = store.collection(definitionsCollection);

  function serve(name: string, definition: CustomResourceDefinition): void {
    const former = serving.get(name);
    if (!isEstablished(definition) || (former && isServedAlike(former.definition, definition))) return;
    const versions = former?.versions ?? { current: new Map() };
    const convert = objectConverter(conversion, definition);
    const kind = withoutTakenVersions(customKind(definition, versions, convert));
    try {
      if (former === undefined) kinds.register(kind);
      else kinds.replace(kind);
      serving.set(name, { definition, kind, versions });
    } catch (error) {
      // Another kind has its paths. No definition may keep the server from serving the others.
      log.error("a custom kind cannot be served", { name, error });
    }
  }

  function withdraw(name: string): void {
    const former = serving.get(name);
    if (former === undefined) return;
    serving.delete(name);
    kinds.remove(former.kind);
  }

  function follow({ type, record }: StoreEvent): void {
    if (type === "DELETED") withdraw(record.key);
    else serve(record.key, definitionIn(record.object));
  }

  for (const { key, object } of definitions.records()) serve(key, definitionIn(object));
  return definitions.subscribe({ of: "all" }, (events) => {
    for (const event of events) follow(event);
  });
}

/** Reports whether two versions of a definition are served in the same way. */
function isServedAlike(left: CustomResourceDefinition, right: CustomResourceDefinition): boolean {
  return (
    (left.metadata.deletionTimestamp === undefined) === (right.metadata.deletionTimestamp === undefined) &&
    deepEqual(left.status?.acceptedNames, right.status?.acceptedNames) &&
    deepEqual(left.spec, right.spec)
  );
}

/** Returns the kind without the versions that are the server's own: `apps/v1` has no custom kinds. */
function withoutTakenVersions({ group, kind, versions }: ServedKind): ServedKind {
  const own = schemaTable().groups.find((each) => each.group === group)?.versions ?? [];
  return { group, kind, versions: versions.filter(({ version }) => !own.includes(version)) };
}
