/** The prefix of every annotation that controls the simulation. */
export const simulationPrefix = "sim.trimtab.dev/";
