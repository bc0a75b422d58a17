import { describeSessions } from "./describe-sessions.ts";
import { simulatedSessions } from "./simulated.cases.ts";

describeSessions(simulatedSessions);
