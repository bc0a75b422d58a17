import { describeMoods } from "./moods.contract.ts";

describeMoods(200);
