/** How much a ConfigMap or a Secret may hold: 1 MiB. */
export const maxDataBytes = 1024 * 1024;

/** How many bytes a base64 text holds. */
export function base64Length(text: string): number {
  const padding = text.endsWith("==") ? 2 : Number(text.endsWith("="));
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}
