/** A media type without its parameters, in lower case: `application/json` of `Application/JSON; charset=utf-8`. */
export function bareMediaType(header: string): string {
  return (header.split(";", 1)[0] ?? "").trim().toLowerCase();
}

// What objects may be encoded as on their way in.
export const jsonType = "application/json";
export const yamlType = "application/yaml";
export const protobufType = "application/vnd.kubernetes.protobuf";
