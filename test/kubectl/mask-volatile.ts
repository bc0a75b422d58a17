/** What differs between runs, and its placeholder in golden files. */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| \+0000)/g, "<time>"],
  [/[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000/g, "<time>"],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/(?<=resourceVersion"?: )"\d+"/g, '"<revision>"'],
  [/(?<=Resource Version: +)\d+/g, "<revision>"],
  [/^[IWE]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ (?=\w+\.go:)/gm, ""],
  [/(?<=127\.0\.0\.1:)\d+/g, "<port>"],
  [/\b240\.128\.\d+\.\d+\b(?!\/)/g, "<pod-address>"],
  [/\b240\.96\.(?!0\.1\b)\d+\.\d+\b/g, "<service-address>"],
  [/(LIVE|MERGED)-\d+/g, "$1"],
  [/(?<=(Client|Kustomize) Version: ).*/g, "<client>"],
  [/(?<=client \()\d+\.\d+(?=\))/g, "<client>"],
  [/(?<=Platform:")[^"]+/g, "<platform>"],
  // kubectl 1.35 and later say which container an event is about.
  [/(?<= {2})spec\.\w+\{[\w-]+\}: /g, ""],
  // Only cells of tables, and only young ages: values of hundreds of seconds, or within a text, are settings.
  [/(?<=^| {2})((\d{1,2}|1[01]\d)s|[2-9]m|\d+m\d+s)(?= {2}|$)/gm, "<age>"],
  // kubectl pads columns to the widest cell, which may be one of the above. A single first character is a mark of diff.
  [/(?<=[^\n]\S) {3,}/g, "   "],
  [/[ \t]+$/gm, ""],
];

/** Replaces what differs between runs by placeholders. */
export function maskVolatile(text: string): string {
  return volatile.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), text);
}
