/** Sets of settings, by the profile name that a Pod, a namespace or a node refers to. */
export const profiles: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  slow: { startDelay: "5s..15s", readyDelay: "2s..10s", terminationDelay: "5s..20s" },
  flaky: { startFailureRate: "20%", readyFlap: "1m" },
  crashing: { crashLoop: "true", crashAfter: "10s" },
  stubborn: { ignoreSIGTERM: "true" },
  stuck: { stuckTerminating: "true" },
  leaking: { oom: "true", crashLoop: "true", crashAfter: "2m..5m" },
};

/** The names of all profiles. */
export const profileNames: readonly string[] = Object.keys(profiles);
