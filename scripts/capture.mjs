// Takes the pictures of docs/images from pi's real TUI: node scripts/capture.mjs
import { runWithCheckout } from "./lib/checkout.mjs";

runWithCheckout("scripts/capture/main.ts");
