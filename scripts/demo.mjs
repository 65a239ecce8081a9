// npm run demo: sets the checkout up, then runs the demo with the Node of the development dependencies.
import { runWithCheckout } from "./lib/checkout.mjs";

runWithCheckout("scripts/demo/main.ts");
