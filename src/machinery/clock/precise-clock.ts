/** Milliseconds that only grow, with fractions: for measuring how long something took, never for deciding. */
export function preciseMs(): number {
  return performance.now();
}
