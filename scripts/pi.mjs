// npm run pi: sets the checkout up, then opens pi's TUI with the extension and the demo's scripted model.
import { runWithCheckout } from "./lib/checkout.mjs";

runWithCheckout("scripts/demo/tui.ts");
