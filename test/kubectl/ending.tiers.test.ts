import { perTier } from "../tier.ts";
import { describeSessions } from "./describe-sessions.ts";
import { endingSessions, lengthySessions } from "./ending.cases.ts";

describeSessions(perTier({ unit: endingSessions, full: [...endingSessions, ...lengthySessions] }));
