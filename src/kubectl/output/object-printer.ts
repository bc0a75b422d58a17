import { isJsonObject, type Json, type JsonObject } from "../../api/json.ts";
import { CommandFailure, failure, notSupportedHere } from "../command-failure.ts";
import type { Context } from "../context.ts";
import { type KubeObject, nameText } from "../selection/kube-object.ts";
import { customColumns } from "./custom-columns.ts";
import { goJson, typedJson } from "./go-json.ts";
import { goYaml } from "./go-yaml.ts";
import { evaluateTemplate, templateValues } from "./json-path.ts";
import { JsonPathProblem } from "./json-path-parse.ts";

/** Prints an object, or a list of kind `List`. */
export type ObjectPrinter = (object: JsonObject) => string;

const formats =
  "custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,wide,yaml";
/** Of commands that print no tables. */
const plainFormats =
  "go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,yaml";

export interface PrinterOptions {
  /** Whether custom columns are known. */
  readonly hasColumns?: boolean;
  /** Whether keys keep their order, because the object was made here. */
  readonly isTyped?: boolean;
}

/** The printer of `-o`; `undefined` where what is printed is not an object. */
export function objectPrinter(context: Context, options: PrinterOptions = {}): ObjectPrinter | undefined {
  const output = context.text("output");
  if (output === "" || (output === "wide" && options.hasColumns === true)) return undefined;
  const [format = "", ...rest] = output.split("=");
  const argument = rest.length > 0 ? rest.join("=") : context.text("template");
  const keep = context.isOn("show-managed-fields") ? (value: JsonObject) => value : withoutManagedFields;
  const print = printerOf(context, { format, argument, options });
  return (object) => print(keep(object));
}

interface Format {
  readonly format: string;
  readonly argument: string;
  readonly options: PrinterOptions;
}

function printerOf(context: Context, { format, argument, options }: Format): ObjectPrinter {
  let documents = 0;
  switch (format) {
    case "json":
      return (object) => `${options.isTyped === true ? typedJson(object, 4) : goJson(object, 4)}\n`;
    case "yaml":
      return (object) => (documents++ > 0 ? "---\n" : "") + goYaml(object);
    case "name":
      return (object) =>
        listMembersOf(object)
          .map((each) => `${nameText(each)}\n`)
          .join("");
    case "jsonpath":
      return (object) => ofTemplate(argument, () => evaluateTemplate(argument, object));
    case "jsonpath-as-json":
      return (object) => ofTemplate(argument, () => `${goJson(templateValues(argument, object), 4)}\n`);
    case "custom-columns":
      if (options.hasColumns === true) return customColumns(argument, !context.isOn("no-headers"));
      break;
    case "go-template":
    case "go-template-file":
    case "template":
    case "templatefile":
    case "jsonpath-file":
    case "custom-columns-file":
      throw notSupportedHere(`-o ${format}`);
  }
  const known = options.hasColumns === true ? formats : plainFormats;
  throw failure(
    `unable to match a printer suitable for the output format ${JSON.stringify(context.text("output"))}, allowed formats are: ${known}`,
  );
}

function ofTemplate(template: string, evaluate: () => string): string {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof JsonPathProblem)) throw error;
    throw new CommandFailure(`error: error parsing jsonpath ${template}, ${error.message}`);
  }
}

/** The objects of a list, or the object itself. */
export function listMembersOf(object: JsonObject): readonly KubeObject[] {
  const { items } = object;
  return (Array.isArray(items) ? items : [object]) as readonly KubeObject[];
}

function withoutManagedFields(object: JsonObject): JsonObject {
  const { items, metadata } = object;
  if (Array.isArray(items))
    return {
      ...object,
      items: items.map((item: Json) => (isJsonObject(item) ? withoutManagedFields(item) : item)),
    };
  if (!isJsonObject(metadata) || metadata["managedFields"] === undefined) return object;
  const { managedFields: _, ...kept } = metadata;
  return { ...object, metadata: kept };
}
