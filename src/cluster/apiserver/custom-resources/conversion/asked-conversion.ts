import type { JsonObject } from "../../../../api/json.ts";
import type { Conversion } from "../../served-resource.ts";
import { internalError } from "../../status-errors.ts";
import {
  completeObject,
  pruned,
  sourceOf,
  versionNamed,
  type VersionSetting,
} from "../version-conversion.ts";
import type { ConvertObject } from "./object-converter.ts";

interface AskedSetting extends VersionSetting {
  readonly convert: ConvertObject;
}

/** How many objects of one request are converted at a time. */
const atOnce = 16;

/**
 * Returns the conversion of a version whose objects a webhook converts. Answers are kept as long as the objects that were
 * converted, which never change: a stored object is converted once for each version that is read.
 */
export function askedConversion(setting: AskedSetting): (target: string) => Conversion {
  return (target) => conversionTo(target, setting);
}

function conversionTo(target: string, { versions, holder, storage, convert }: AskedSetting): Conversion {
  const wanted = versionNamed(versions, target);
  const storedAs = versionNamed(versions, storage);
  const sourceNamed = (object: JsonObject) => sourceOf(object, { versions, holder });
  const served = answersOf(async (stored) => {
    const complete = completeObject(stored, sourceNamed(stored));
    return pruned(await convert(complete, wanted.name), wanted.schema());
  });
  const written = answersOf(async (object) =>
    pruned(await convert(object, storedAs.name), storedAs.schema()),
  );

  /** Returns what is served of an object; `undefined` when a webhook has to be asked first. */
  const read = (object: JsonObject): JsonObject | undefined => {
    const known = served.known(object);
    if (known !== undefined) return known;
    const source = sourceNamed(object);
    return source.name === wanted.name ? served.keep(object, completeObject(object, source)) : undefined;
  };
  const write = (object: JsonObject): JsonObject | undefined =>
    storedAs.name === wanted.name ? object : written.known(object);

  return {
    fromStorage: (object) => read(object) ?? notAsked(),
    toStorage: (object) => write(object) ?? notAsked(),
    ahead(objects, to) {
      const [known, answers] = to === "served" ? [read, served] : [write, written];
      const unknown = objects.filter((object) => known(object) === undefined);
      return unknown.length === 0 ? undefined : inBatches(unknown, answers.ask);
    },
  };
}

async function inBatches(
  objects: readonly JsonObject[],
  ask: (object: JsonObject) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < objects.length; start += atOnce)
    await Promise.all(objects.slice(start, start + atOnce).map(ask));
}

/** What was asked for objects. */
interface Answers {
  readonly known: (object: JsonObject) => JsonObject | undefined;
  readonly keep: (object: JsonObject, answer: JsonObject) => JsonObject;
  /** Asks for an object, once for all that wait for it. A failure is not kept: the next request may succeed. */
  readonly ask: (object: JsonObject) => Promise<void>;
}

function answersOf(convert: (object: JsonObject) => Promise<JsonObject>): Answers {
  const answers = new WeakMap<JsonObject, JsonObject>();
  const pending = new WeakMap<JsonObject, Promise<void>>();
  const keep = (object: JsonObject, answer: JsonObject): JsonObject => {
    answers.set(object, answer);
    return answer;
  };
  const askAnew = async (object: JsonObject): Promise<void> => {
    try {
      keep(object, await convert(object));
    } finally {
      pending.delete(object);
    }
  };
  return {
    known: (object) => answers.get(object),
    keep,
    ask(object) {
      const asked = pending.get(object) ?? askAnew(object);
      pending.set(object, asked);
      return asked;
    },
  };
}

/** Throws 500: a part of the server reads objects without waiting for their conversion. */
function notAsked(): never {
  throw internalError("the object has not been converted yet: this request is not supported for it");
}
